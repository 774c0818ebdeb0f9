/**
 * Where a hosted service is, read from what a person set: `GITPIN_URL` as its address with or without `/mcp`, and
 * `GITPIN_TOKEN`. Refuses an address that is none, one that holds a password, and a token over plain http to another
 * machine: who listens on the way would have it.
 */
import { isLoopback } from "../config.ts";
import { GitpinError } from "../errors.ts";

export interface ServiceAddress {
  /** Without a final slash, query or fragment; routes (`/v1/...`, `/mcp`) follow it. */
  base: string;
  /** Sent to `base` and nowhere else. */
  token: string | null;
}

/** `field` is what the errors blame. Throws `invalid_argument`; a token is never in it. */
export function serviceAddress(
  text: string,
  token: string | undefined,
  field = "GITPIN_URL",
): ServiceAddress {
  const refuse = (what: string, nextStep: string): GitpinError =>
    new GitpinError("invalid_argument", `${field} ${what}.`, nextStep, { field });
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refuse(
      "is not the address of a service",
      `Set ${field} to an address such as https://gitpin.example.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse(
      "holds a name or password",
      "Put the token in GITPIN_TOKEN and leave it out of the address.",
    );
  }
  const base = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/mcp$/, "");
  if (token !== undefined && url.protocol === "http:" && !isLoopback(base)) {
    throw refuse(
      "is plain http to another machine, and GITPIN_TOKEN is set",
      `Use https in ${field}; a token over http can be read on the way.`,
    );
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new GitpinError(
      "invalid_argument",
      "GITPIN_TOKEN holds a character that no token has (white space, a line break).",
      "Set GITPIN_TOKEN to the token alone.",
      { field: "GITPIN_TOKEN" },
    );
  }
  return { base, token: token ?? null };
}
