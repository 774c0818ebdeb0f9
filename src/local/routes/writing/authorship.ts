// Who a commit is by when the request does not say: the token's user or the App, at the present time of the host.
// Owns: reading `author` and `committer` of a request, with their dates and zones (ISO 8601).
import { type CommitAuthor, plainName } from "../../git/commit-text.ts";
import { ApiError } from "../../http/answer.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Members, optionalMembers, optionalString, requiredString } from "../../http/json-body.ts";
import { userId } from "../../shapes/user.ts";

const DATE = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/** The login of whoever asks. */
export function loginOf({ caller }: Exchange): string {
  if (caller.issued !== undefined) return `${caller.issued.slug}[bot]`;
  return caller.login ?? "octocat";
}

export function callerAsAuthor(exchange: Exchange): CommitAuthor {
  const login = loginOf(exchange);
  return {
    name: login,
    email: `${userId(login)}+${login}@users.noreply.github.com`,
    seconds: Math.floor(exchange.host.now() / 1000),
    zone: "+0000",
  };
}

function invalid(field: string): ApiError {
  return new ApiError(422, "Validation Failed", {
    members: { errors: [{ resource: "Commit", field, code: "invalid" }] },
  });
}

function timeOf(text: string): Pick<CommitAuthor, "seconds" | "zone"> | null {
  const [, local = "", zone = "Z"] = DATE.exec(text) ?? [];
  const seconds = Date.parse(`${local.replace(" ", "T")}${zone}`) / 1000;
  if (!Number.isInteger(seconds) || seconds < 0) return null;
  return { seconds, zone: /z/i.test(zone) ? "+0000" : zone.replace(":", "") };
}

/** `fallback` where the request does not name one; its time where none is given. */
export function authorOf(
  members: Members,
  role: "author" | "committer",
  fallback: CommitAuthor,
): CommitAuthor {
  const given = optionalMembers(members, role);
  if (given === undefined) return fallback;
  const name = requiredString(given, "name");
  const email = requiredString(given, "email");
  const date = optionalString(given, "date");
  if (plainName(name) === "") throw invalid(`${role}.name`);
  const time = date === undefined ? fallback : timeOf(date);
  if (time === null) throw invalid(`${role}.date`);
  return { name, email, seconds: time.seconds, zone: time.zone };
}
