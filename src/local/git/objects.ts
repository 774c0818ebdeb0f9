// Parses the content of commit, tag and tree objects (git's object formats), for showing them as GitHub does.
// Owns: headers, identities, signatures, tree entries. Refuses nothing that git stores: a broken identity is shown
// with what can be read of it. Names of tree entries stay bytes.
export interface Identity {
  name: string;
  email: string;
  /** Seconds since the epoch, UTC. */
  seconds: number;
}

export interface Signed {
  /** The armoured signature, or null. */
  signature: string | null;
  /** The object as it was signed (without the signature), or null when unsigned. */
  payload: string | null;
}

export interface Commit extends Signed {
  tree: string;
  parents: string[];
  author: Identity;
  committer: Identity;
  /** Verbatim, with every trailing newline. */
  message: string;
}

export interface Tag extends Signed {
  object: string;
  type: string;
  tag: string;
  tagger: Identity | null;
  message: string;
}

export interface TreeEntry {
  /** Six digits, as in `100644` or `040000`. */
  mode: string;
  name: Buffer;
  sha: string;
}

interface Header {
  key: string;
  value: Buffer;
  start: number;
  end: number;
}

/** Headers up to the empty line; a line that starts with a space continues the one before. */
function readHeaders(content: Buffer): { headers: Header[]; body: Buffer } {
  const headers: Header[] = [];
  let at = 0;
  while (at < content.length && content[at] !== 0x0a) {
    const start = at;
    let end = lineEnd(content, at);
    while (content[end] === 0x20) end = lineEnd(content, end);
    const line = content.subarray(start, end - 1);
    const space = line.indexOf(0x20);
    const value = Buffer.from(
      line
        .subarray(space + 1)
        .toString("latin1")
        .replaceAll("\n ", "\n"),
      "latin1",
    );
    headers.push({ key: line.subarray(0, Math.max(space, 0)).toString("latin1"), value, start, end });
    at = end;
  }
  return { headers, body: content.subarray(Math.min(at + 1, content.length)) };
}

function lineEnd(content: Buffer, from: number): number {
  const at = content.indexOf(0x0a, from);
  return at < 0 ? content.length + 1 : at + 1;
}

function decoder(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding) {
    try {
      const named = new TextDecoder(encoding, { fatal: false, ignoreBOM: true });
      return (bytes) => named.decode(bytes);
    } catch (unknown) {
      if (!(unknown instanceof RangeError)) throw unknown;
    }
  }
  return (bytes) => bytes.toString("utf8");
}

function identity(text: string): Identity {
  const parts = /^(.*?) ?<([^>]*)>(?: (-?\d+))?/s.exec(text);
  return { name: parts?.[1] ?? text, email: parts?.[2] ?? "", seconds: Number(parts?.[3] ?? 0) };
}

/** Parses a commit; text is decoded by its `encoding` header, else as UTF-8 with U+FFFD for what is not. */
export function parseCommit(content: Buffer): Commit {
  const { headers, body } = readHeaders(content);
  const first = (key: string): Buffer | undefined => headers.find((header) => header.key === key)?.value;
  const text = decoder(first("encoding")?.toString("latin1"));
  const who = (key: string): Identity => identity(text(first(key) ?? Buffer.alloc(0)));
  const signature = first("gpgsig")?.toString("utf8") ?? null;
  const kept: Buffer[] = [];
  let from = 0;
  for (const header of headers.filter(({ key }) => key === "gpgsig" || key === "gpgsig-sha256")) {
    kept.push(content.subarray(from, header.start));
    from = header.end;
  }
  kept.push(content.subarray(from));
  return {
    tree: first("tree")?.toString("latin1") ?? "",
    parents: headers.filter(({ key }) => key === "parent").map(({ value }) => value.toString("latin1")),
    author: who("author"),
    committer: who("committer"),
    message: text(body),
    signature,
    payload: signature === null ? null : Buffer.concat(kept).toString("utf8"),
  };
}

const TAG_SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m;

/** Parses an annotated tag; the signature is the armoured block at the end of its message. */
export function parseTag(content: Buffer): Tag {
  const { headers, body } = readHeaders(content);
  const first = (key: string): string | undefined =>
    headers.find((header) => header.key === key)?.value.toString("utf8");
  const message = body.toString("utf8");
  const tagger = first("tagger");
  const signedAt = TAG_SIGNATURE.exec(message)?.index;
  const whole = content.toString("utf8");
  return {
    object: first("object") ?? "",
    type: first("type") ?? "",
    tag: first("tag") ?? "",
    tagger: tagger === undefined ? null : identity(tagger),
    message,
    signature: signedAt === undefined ? null : message.slice(signedAt),
    payload: signedAt === undefined ? null : whole.slice(0, whole.length - (message.length - signedAt)),
  };
}

/** Parses a tree in its stored order. */
export function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(0x20, at);
    const nul = content.indexOf(0, space);
    entries.push({
      mode: content.toString("latin1", at, space).padStart(6, "0"),
      name: content.subarray(space + 1, nul),
      sha: content.toString("hex", nul + 1, nul + 21),
    });
    at = nul + 21;
  }
  return entries;
}

/** What a tree entry's mode says it is. */
export function entryType(mode: string): "blob" | "tree" | "commit" {
  if (mode === "040000") return "tree";
  return mode === "160000" ? "commit" : "blob";
}
