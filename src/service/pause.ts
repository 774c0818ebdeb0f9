/** How a long computation lets other requests run, and ends when nobody waits for it any more. */
import { callerLeft } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { ServicePorts } from "./service-ports.ts";

const byTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Throws `caller_left`: whoever left must not keep others waiting, for a turn at the archives say. */
export const pauseOf =
  (ports: Pick<ServicePorts, "pause">, call: Pick<Call, "signal">): (() => Promise<void>) =>
  async () => {
    await (ports.pause ?? byTimer)();
    if (call.signal?.aborted) throw callerLeft();
  };
