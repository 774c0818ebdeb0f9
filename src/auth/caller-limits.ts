/**
 * Limits for callers: how often one token and one address may call, by the platform's rate-limiting bindings.
 * Owns their keys and the refusal. Without bindings (a local service) nothing is limited. The bindings count per location of
 * the network and are eventually consistent: they stop floods, they are no quota.
 */
import { GitpinError } from "../errors.ts";

/** The part of a rate-limiting binding that is used. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

export interface CallerLimits {
  /** Throws `rate_limited`. Asked before the credential is looked at, so that guessing tokens is limited too. */
  address(address: string | null): Promise<void>;
  /** Throws `rate_limited`. */
  token(callerId: string): Promise<void>;
}

/** Period of both bindings in wrangler.toml, in seconds: the longest that a caller has to wait. */
const PERIOD_SECONDS = 60;

const tooOften = (who: string): GitpinError =>
  new GitpinError(
    "rate_limited",
    `This ${who} called too often.`,
    `Wait ${PERIOD_SECONDS} seconds, then call again.`,
    { retryAfterSeconds: PERIOD_SECONDS },
  );

/** One key for an IPv4 address, and one for the /64 network of an IPv6 address: a host has all addresses of its /64. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

export function callerLimits(
  byAddress: RateLimiter | undefined,
  byToken: RateLimiter | undefined,
): CallerLimits {
  return {
    async address(address) {
      if (byAddress === undefined || address === null) return;
      if (!(await byAddress.limit({ key: addressKey(address) })).success) throw tooOften("address");
    },
    async token(callerId) {
      if (byToken === undefined) return;
      if (!(await byToken.limit({ key: callerId })).success) throw tooOften("token");
    },
  };
}
