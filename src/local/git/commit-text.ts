// Writes the content of a commit object (git's object format). Owns: how names and times are spelled.
// The message is taken as it is: nothing is added to it, nothing cut off.

export interface CommitAuthor {
  name: string;
  email: string;
  /** Seconds since the epoch. */
  seconds: number;
  /** As in `+0200`. */
  zone: string;
}

export interface NewCommit {
  tree: string;
  parents: readonly string[];
  author: CommitAuthor;
  committer: CommitAuthor;
  message: string;
  /** Armoured, over the object without it. */
  signature?: string | undefined;
}

/** What git itself leaves out of a name: characters that end it, and punctuation at its ends. */
export function plainName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule is about
  return text.replace(/[<>\n\0]/g, "").replace(/^[\x00-\x20.,:;"'\\]+|[\x00-\x20.,:;"'\\]+$/g, "");
}

const line = (key: string, { name, email, seconds, zone }: CommitAuthor): string =>
  `${key} ${plainName(name)} <${plainName(email)}> ${seconds} ${zone}\n`;

export function commitText(commit: NewCommit): Buffer {
  const { tree, parents, author, committer, message, signature } = commit;
  const signed =
    signature === undefined ? "" : `gpgsig ${signature.replace(/\n+$/, "").replaceAll("\n", "\n ")}\n`;
  return Buffer.from(
    `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}${line("author", author)}${line("committer", committer)}${signed}\n${message}`,
  );
}
