/**
 * The exact bytes of a commit, found again from what a host's JSON tells of it. Pure, and bounded in its work.
 * GitHub's JSON moves dates to UTC and drops one newline from the end of the message; with a signature it also carries the
 * signed payload. Candidates are hashed until one has the commit's id. None: the commit stays the host's word.
 */
import { encodeCommit } from "./commit.ts";
import { objectId } from "./hash.ts";
import type { ObjectId } from "./object-id.ts";

export interface HostPerson {
  name: string;
  email: string;
  /** ISO 8601, any zone. */
  date: string;
}

/** A commit as the host's JSON tells it. */
export interface HostCommit {
  sha: ObjectId;
  tree: ObjectId;
  parents: ObjectId[];
  author: HostPerson;
  committer: HostPerson;
  message: string;
  /** What was signed, and the signature, where the host has them. */
  payload: string | null;
  signature: string | null;
}

/** Bytes hashed at most while looking for one commit: about 30 ms of work. */
const BYTES_AT_MOST = 6_000_000;

/** Offsets in use somewhere, likelier ones first, and those that history has left in commits. */
const ZONES = (
  "+0000 +0100 +0200 -0400 -0500 -0700 -0800 +0800 +0530 +0900 +0300 -0600 -0300 +1000 +1100 +0700 +0400 +0500 +0600 " +
  "+1200 +1300 -0200 -0100 -0900 -1000 -0230 -0330 +0330 +0430 +0545 +0630 +0930 +1030 +0845 +1245 +1345 +1400 -1100 " +
  "-1200 -0930 -0430 +0830 +1130 +0730 -0000"
).split(" ");

const utf8 = new TextEncoder();

/** The payload with the signature put back as a header, at each place it may have stood. */
function* signedCandidates(payload: string, signature: string): Generator<string> {
  const end = payload.indexOf("\n\n");
  if (end < 0) return;
  const lines = payload.slice(0, end).split("\n");
  const rest = payload.slice(end);
  const bare = signature.replace(/\n+$/, "");
  const committer = lines.findIndex((line) => line.startsWith("committer "));
  // A header line that starts with a space continues the one before: no header begins there.
  const places = lines.flatMap((_, at) => (at > committer && !lines[at]?.startsWith(" ") ? [at] : []));
  for (const text of new Set([signature, bare, `${bare}\n`])) {
    const header = `gpgsig ${text.replaceAll("\n", "\n ")}`;
    for (const at of [lines.length, ...places]) {
      yield `${lines.toSpliced(at, 0, header).join("\n")}${rest}`;
    }
  }
}

const minutes = (zone: string): number =>
  Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3)));

/** Pairs of zones: equal ones, then an hour apart (summer time), then the others. */
function* zonePairs(): Generator<[string, string]> {
  for (const zone of ZONES) yield [zone, zone];
  const apart = (a: string, b: string): boolean => Math.abs(minutes(a) - minutes(b)) === 60;
  for (const near of [true, false]) {
    for (const author of ZONES) {
      for (const committer of ZONES) {
        if (author !== committer && apart(author, committer) === near) yield [author, committer];
      }
    }
  }
}

function* unsignedCandidates(host: HostCommit): Generator<string> {
  const signature = ({ name, email, date }: HostPerson, zone: string) => ({
    name,
    email,
    seconds: Date.parse(date) / 1000,
    zone,
  });
  for (const [author, committer] of zonePairs()) {
    for (const message of [`${host.message}\n`, host.message]) {
      yield encodeCommit({
        tree: host.tree,
        parents: host.parents,
        author: signature(host.author, author),
        committer: signature(host.committer, committer),
        message,
      });
    }
  }
}

/** The commit's own bytes, or null when they could not be found. */
export function rebuildCommit(host: HostCommit): Uint8Array | null {
  const { payload, signature } = host;
  const candidates =
    payload !== null && signature !== null ? signedCandidates(payload, signature) : unsignedCandidates(host);
  let hashed = 0;
  for (const candidate of candidates) {
    const bytes = utf8.encode(candidate);
    if (objectId("commit", bytes) === host.sha) return bytes;
    hashed += bytes.length;
    if (hashed > BYTES_AT_MOST) return null;
  }
  return null;
}
