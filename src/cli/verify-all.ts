/**
 * Many citations through `pin.verify`: equal ones are asked once, a few at a time. Owns what happens when one cannot be
 * checked: the others still are, unless the service itself is out of reach or refuses the caller; then the rest is not asked.
 */
import { GitpinError } from "../errors.ts";
import { type VerificationReport, type VerifyInput, verificationReport } from "../schema/verification.ts";
import { sideBySide } from "../service/side-by-side.ts";
import { checkedAnswer } from "./checked-answer.ts";
import type { Connection } from "./connection.ts";

/** Exactly one of the two is set. */
export type Outcome = { report: VerificationReport; error: null } | { report: null; error: GitpinError };

/** How often a service may ask for patience before that is told. */
const PATIENCE = 5;
const LONGEST_WAIT_SECONDS = 120;

/** In the order of `inputs`. Never throws a `GitpinError`: each outcome holds its own. */
export async function verifyAll(
  connection: Connection,
  inputs: readonly VerifyInput[],
  sleep: (milliseconds: number) => Promise<void>,
): Promise<Outcome[]> {
  const distinct = new Map(inputs.map((input) => [JSON.stringify(input), input]));
  const outcomes = new Map<string, Outcome>();
  let stopped: GitpinError | null = null;
  await sideBySide([...distinct], async ([key, input]) => {
    if (stopped !== null) {
      outcomes.set(key, { report: null, error: stopped });
      return;
    }
    try {
      outcomes.set(key, { report: await verifyOne(connection, input, sleep), error: null });
    } catch (thrown) {
      if (!(thrown instanceof GitpinError)) throw thrown;
      outcomes.set(key, { report: null, error: thrown });
      if (stopsEverything(thrown)) stopped = thrown;
    }
  });
  return inputs.map((input) => outcomes.get(JSON.stringify(input)) as Outcome);
}

async function verifyOne(
  connection: Connection,
  input: VerifyInput,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<VerificationReport> {
  for (let tried = 1; ; tried += 1) {
    try {
      return checkedAnswer(verificationReport, await connection.call("pin.verify", { ...input }));
    } catch (thrown) {
      const wait = waitAsked(thrown);
      if (wait === null || tried > PATIENCE) throw thrown;
      await sleep(wait * 1000);
    }
  }
}

/** Seconds that the service asks a frequent caller to wait; null for all else, and for a wait too long to sit out. */
function waitAsked(thrown: unknown): number | null {
  if (!(thrown instanceof GitpinError) || thrown.code !== "rate_limited") return null;
  const seconds = thrown.data.retryAfterSeconds;
  return typeof seconds === "number" && seconds <= LONGEST_WAIT_SECONDS ? seconds : null;
}

/** Faults that every further question would meet as well. */
const stopsEverything = (error: GitpinError): boolean =>
  error.code === "unauthorized" || error.data.service !== undefined;
