/** What the body of a refused request says. Read for telling cases apart; nothing of it is ever shown. */

export interface HostProblem {
  /** The host's text; empty where there is none. */
  message: string;
  /** `errors[].code`, e.g. `too_large`. */
  codes: string[];
  /** `errors[].message`, or `errors[]` where they are texts. */
  details: string[];
  /** `errors[].type`, as GraphQL has it, e.g. `FORBIDDEN`. */
  types: string[];
}

/** The body as JSON; null where it is none. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return null;
  }
}

const textOf = (of: unknown, member: string): string[] => {
  if (typeof of !== "object" || of === null) return [];
  const value = (of as Record<string, unknown>)[member];
  return typeof value === "string" ? [value] : [];
};

export function problemOf(data: unknown): HostProblem {
  const errors: unknown[] =
    typeof data === "object" && data !== null && "errors" in data && Array.isArray(data.errors)
      ? data.errors
      : [];
  return {
    message: textOf(data, "message")[0] ?? "",
    codes: errors.flatMap((error) => textOf(error, "code")),
    types: errors.flatMap((error) => textOf(error, "type")),
    details: errors.flatMap((error) => (typeof error === "string" ? [error] : textOf(error, "message"))),
  };
}
