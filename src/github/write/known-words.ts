/**
 * Sentences in which GitHub says what keeps a branch from moving, as far as they are on record. Each is matched whole, so quoting one
 * repeats nothing of the host's answer that is not written here but numbers and the plain name of a check: what an answer says beside
 * them (names, addresses, whatever a host adds) is never shown. Pure.
 */

/** What gets around a rule: a pull request, a signature, or only the owner. */
export type Way = "propose" | "sign" | "unlock" | "name";

const FORMS: readonly [words: RegExp, way: Way][] = [
  [/^Changes must be made through (?:a pull request|the merge queue)\.?$/, "propose"],
  [/^At least \d{1,4} approving reviews? (?:is|are) required by reviewers with write access\.?$/, "propose"],
  [
    /^\d{1,4} of \d{1,4} required status checks (?:are (?:expected|failing|pending)|have not succeeded)\.?$/,
    "propose",
  ],
  [
    /^Required status check "[A-Za-z][\w ./()-]{0,39}" is (?:expected|failing|pending|in progress|queued)\.?$/,
    "propose",
  ],
  [/^You're not authorized to push to this branch\.?$/, "propose"],
  [/^Cannot (?:update|force-push to) this (?:protected )?(?:branch|ref)\.?$/, "propose"],
  [/^This branch must not contain merge commits\.?$/, "propose"],
  [/^Commits must have (?:verified|valid) signatures\.?$/, "sign"],
  [/^Cannot change this locked branch\.?$/, "unlock"],
  [/^Cannot create ref due to creations being restricted\.?$/, "name"],
];

/** UTF-16 units of all sentences that are quoted. */
const SAID_AT_MOST = 300;

export interface KnownWords {
  /** The known sentences, in the host's order; null: none. */
  said: string | null;
  ways: ReadonlySet<Way>;
}

/** `text`: all that the host said. */
export function knownWords(text: string): KnownWords {
  const ways = new Set<Way>();
  const quoted = new Set<string>();
  let room = SAID_AT_MOST;
  for (const sentence of text.split(/\n|(?<=\.)\s+/).map(bare)) {
    const way = FORMS.find(([words]) => words.test(sentence))?.[1];
    if (way === undefined) continue;
    ways.add(way);
    room -= sentence.length + 1;
    if (room >= 0) quoted.add(sentence);
  }
  return { said: quoted.size === 0 ? null : [...quoted].join(" "), ways };
}

/** Without what lists and git's own output put in front. */
const bare = (line: string): string =>
  line
    .trim()
    .replace(/^(?:remote: *)?(?:error: *)?(?:- *)?/, "")
    .trim();
