/**
 * The calls of a soak run, each with what its answer must be by the history's own word. Owns the mix. A wrong answer is told with all
 * that is needed to ask again.
 */
import type { ErrorReport } from "../../src/errors.ts";
import { type History, type Moment, SECRET } from "./history.ts";

export interface Answer {
  /** HTTP status. */
  status: number;
  body: Record<string, unknown>;
  /** Set for an error, of REST or of a tool over MCP. */
  error: Pick<ErrorReport, "code" | "fault"> | null;
}

export interface Call {
  name: string;
  path: string;
  /** POST as JSON-RPC where it is set. */
  rpc?: { name: string; arguments: Record<string, unknown> };
  /** What is wrong with an answer that is no error; null: nothing. */
  judge(answer: Answer): string | null;
  /** The error that is the right answer. */
  expectedError?: string;
  /** An error that travels inside an answer: of one of several repositories. */
  errorIn?(answer: Answer): Answer["error"];
}

export type Dice = (count: number) => number;

const differs = (what: string, seen: unknown, right: unknown): string | null =>
  seen === right
    ? null
    : `${what} is ${JSON.stringify(seen)?.slice(0, 200)}, not ${JSON.stringify(right)?.slice(0, 200)}`;

const all = (...faults: (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null;

const query = (fields: Record<string, string | number>): string =>
  String(new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])));

interface Place {
  moment: Moment;
  path: string;
  line: number;
  text: string;
}

/** How long a new commit may be unknown to the service, which asks for HEAD once a second. */
const SETTLED_MS = 2500;

/** New commits more often than old ones: they are cold. */
function placeOf(history: History, dice: Dice): Place {
  const moments = history.moments.filter(({ at }, index) => index === 0 || Date.now() - at > SETTLED_MS);
  const recent = Math.min(moments.length, 10);
  const index = dice(2) === 0 ? moments.length - 1 - dice(recent) : dice(moments.length);
  const moment = moments[index];
  if (moment === undefined) throw new TypeError("the history has no such moment");
  const paths = [...moment.files.keys()];
  const path = paths[dice(paths.length)] ?? "";
  const lines = (moment.files.get(path) ?? "").split(/(?<=\n)/);
  const line = 1 + dice(lines.length);
  return { moment, path, line, text: lines[line - 1] ?? "" };
}

const at = ({ moment, path }: Place) => ({ repository: "soak", sourcePath: path, sha: moment.sha });

const changedBetween = (base: Moment, head: Moment): string =>
  [...head.files]
    .filter(([path, content]) => base.files.get(path) !== content)
    .map(([path]) => path)
    .sort()
    .join(" ");

interface Searched {
  status: string;
  complete: boolean;
  totals: { matchingLines: number };
  error: Answer["error"];
}

function searchedIn(body: Answer["body"]): Searched {
  const [searched] = body.repositories as Searched[];
  if (searched === undefined) throw new TypeError("a search of one repository told of none");
  return searched;
}

type Maker = (history: History, dice: Dice) => Call;

const MAKERS: Record<string, Maker> = {
  prove(history, dice) {
    const place = placeOf(history, dice);
    return {
      name: "prove",
      path: `/v1/prove?${query({ ...at(place), lineStart: place.line })}`,
      judge: ({ body }) =>
        all(differs("status", body.status, "ok"), differs("content", body.content, place.text)),
    };
  },
  "prove over MCP"(history, dice) {
    const place = placeOf(history, dice);
    return {
      name: "prove over MCP",
      path: "/mcp",
      rpc: { name: "pin.prove", arguments: { ...at(place), lineStart: place.line } },
      judge: ({ body }) =>
        all(differs("status", body.status, "ok"), differs("content", body.content, place.text)),
    };
  },
  "prove at HEAD"(history, dice) {
    const { path } = placeOf(history, dice);
    const before = history.moments.length - 1;
    return {
      name: "prove at HEAD",
      path: `/v1/prove?${query({ repository: "soak", sourcePath: path, lineStart: 1 })}`,
      judge({ body }) {
        // Whatever was HEAD lately; under a fault an older tip is right too, when it says so.
        const moment = history.moments.find(({ sha }) => sha === body.commitSha);
        if (moment === undefined) return `commitSha is ${String(body.commitSha)}, which never was HEAD`;
        const age = before - history.moments.indexOf(moment);
        const { stale } = body.head as { stale: object | null };
        const [first] = (moment.files.get(path) ?? "").split(/(?<=\n)/);
        return all(
          differs("content", body.content, first),
          age > 5 && stale === null ? `HEAD is ${age} commits old and is not called stale` : null,
        );
      },
    };
  },
  "verify, true"(history, dice) {
    const place = placeOf(history, dice);
    const mustContain = place.text.trim().slice(0, 40);
    return {
      name: "verify, true",
      path: `/v1/verify?${query({ ...at(place), line: place.line, mustContain })}`,
      judge: ({ body }) =>
        ["ok", "mismatch"].includes(String(body.status)) ? null : `status is ${String(body.status)}`,
    };
  },
  "verify, false"(history, dice) {
    const place = placeOf(history, dice);
    return {
      name: "verify, false",
      path: "/mcp",
      rpc: {
        name: "pin.verify",
        arguments: { ...at(place), line: place.line, mustContain: "no such words" },
      },
      judge: ({ body }) => differs("status", body.status, "contradicted"),
    };
  },
  "read a directory"(history, dice) {
    const { moment } = placeOf(history, dice);
    return {
      name: "read a directory",
      path: `/v1/read?${query({ repository: "soak", sourcePath: "src/part-3", sha: moment.sha })}`,
      judge: ({ body }) => differs("totalEntries", body.totalEntries, 5),
    };
  },
  missing(history, dice) {
    const place = placeOf(history, dice);
    return {
      name: "missing",
      path: `/v1/prove?${query({ ...at(place), sourcePath: `${place.path}.not` })}`,
      judge: ({ body, status }) =>
        all(differs("status", body.status, "missing"), differs("HTTP", status, 404)),
    };
  },
  blocked(history, dice) {
    const place = placeOf(history, dice);
    return {
      name: "blocked",
      path: `/v1/prove?${query({ ...at(place), sourcePath: SECRET })}`,
      judge: ({ body, status }) =>
        all(differs("status", body.status, "blocked"), differs("HTTP", status, 403)),
    };
  },
  compare(history, dice) {
    const head = placeOf(history, dice).moment;
    const index = history.moments.indexOf(head);
    const base = history.moments[Math.max(0, index - 1 - dice(4))] ?? head;
    return {
      name: "compare",
      path: `/v1/compare?${query({ repository: "soak", base: base.sha, head: head.sha })}`,
      judge: ({ body }) =>
        differs(
          "changes",
          (body.changes as { sourcePath: string }[])
            .map(({ sourcePath }) => sourcePath)
            .sort()
            .join(" "),
          changedBetween(base, head),
        ),
    };
  },
  search(history, dice) {
    const place = placeOf(history, dice);
    const needle = /needle\d+$/.exec(place.text.trim())?.[0] ?? "";
    const lines = [...place.moment.files.values()].flatMap((content) => content.split("\n"));
    const right = lines.filter((line) => line.endsWith(needle)).length;
    return {
      name: "search",
      path: `/v1/search-code?${query({ repository: "soak", sha: place.moment.sha, query: needle, wholeWord: "true", count: "true" })}`,
      judge({ body }) {
        const searched = searchedIn(body);
        if (searched.status !== "ok") return `status is ${searched.status}`;
        const seen = searched.totals.matchingLines;
        if (searched.complete) return differs("matchingLines", seen, right);
        return seen <= right ? null : `${seen} lines of an incomplete search, where there are ${right}`;
      },
      errorIn: ({ body }) => searchedIn(body).error,
    };
  },
  "a wrong argument": () => ({
    name: "a wrong argument",
    path: "/v1/prove?repository=soak&sourcePath=a&lineStart=x",
    expectedError: "invalid_argument",
    judge: () => "it is no error",
  }),
  "an unknown repository": () => ({
    name: "an unknown repository",
    path: "/mcp",
    rpc: { name: "pin.read", arguments: { repository: "other", sourcePath: "" } },
    expectedError: "repository_unknown",
    judge: () => "it is no error",
  }),
  healthz: () => ({
    name: "healthz",
    path: "/healthz",
    judge: ({ body }) => differs("status", body.status, "ok"),
  }),
  catalog: (history) => ({
    name: "catalog",
    path: "/v1/catalog",
    judge: ({ body }) =>
      all(
        ...(body.repositories as { repository: string; headSha: string | null }[]).map(({ headSha }) =>
          headSha === null || history.moments.some(({ sha }) => sha === headSha)
            ? null
            : `headSha ${headSha} never was HEAD`,
        ),
      ),
  }),
};

const MIX = Object.values(MAKERS);

export const someCall = (history: History, dice: Dice): Call => {
  const make = MIX[dice(MIX.length)];
  if (make === undefined) throw new TypeError("the mix has no such call");
  return make(history, dice);
};
