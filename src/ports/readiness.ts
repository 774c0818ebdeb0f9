/** Whether the service can do its work now, in words that tell an anonymous caller nothing beyond that. */
import type { Background } from "./background.ts";

/** `stale`: the last good one is used. `unavailable`: there is none yet. */
export type RegistryStanding = "ok" | "stale" | "unavailable";

export interface HostStanding {
  /** `unauthorized`: the host refuses our credential. */
  github: "ok" | "unreachable" | "unauthorized";
  /** `spent`: no request is left for anybody. `unknown`: nobody has asked for anything yet. */
  budget: "ok" | "spent" | "unknown";
  /** ISO 8601 UTC; a few seconds old at most. */
  checkedAt: string;
}

export interface Readiness {
  registry(): Promise<RegistryStanding>;
  host(background: Background): Promise<HostStanding>;
}
