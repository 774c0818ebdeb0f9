/**
 * JSON text with the place of every value in it, so that something can be put in and all else stays byte for byte.
 * Follows RFC 8259; with `comments`, also what editors allow in their settings: comments and a final comma.
 * Refuses a name that stands twice in one object: which of the two counts is anybody's guess.
 */

export interface JsonNode {
  value: unknown;
  /** Offsets in the text, UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
  /** Of an object: its members. */
  members?: { name: string; node: JsonNode }[];
  /** Of an array: its items. */
  items?: JsonNode[];
  /** Whether a comma stands behind the last member or item. */
  finalComma?: boolean;
}

const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
const BLANK = /[ \t\r\n]*/y;
const BLANK_OR_COMMENT = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;

/** Throws `SyntaxError` with the line. */
export function readJsonText(text: string, comments: boolean): JsonNode {
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const skip = (): void => {
    const blank = comments ? BLANK_OR_COMMENT : BLANK;
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
  };
  const wrong = (): SyntaxError =>
    new SyntaxError(`line ${text.slice(0, at).split("\n").length}: unexpected ${text[at] ?? "end"}`);
  const take = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const scalar = (): JsonNode => {
    skip();
    SCALAR.lastIndex = at;
    const token = SCALAR.exec(text)?.[0];
    if (token === undefined) throw wrong();
    const start = at;
    const value: unknown = JSON.parse(token);
    at += token.length;
    return { value, start, end: at };
  };

  /** After the opening bracket: elements between commas up to `close`; true when a comma ends them. */
  const elements = (close: string, element: () => void): boolean => {
    if (take(close)) return false;
    for (;;) {
      element();
      if (take(close)) return false;
      if (!take(",")) throw wrong();
      if (comments && take(close)) return true;
    }
  };
  const object = (start: number): JsonNode => {
    const members: { name: string; node: JsonNode }[] = [];
    const finalComma = elements("}", () => {
      const name = scalar().value;
      if (typeof name !== "string" || members.some((known) => known.name === name)) throw wrong();
      if (!take(":")) throw wrong();
      members.push({ name, node: node() });
    });
    const value = Object.fromEntries(members.map((member) => [member.name, member.node.value]));
    return { value, start, end: at, members, finalComma };
  };
  const array = (start: number): JsonNode => {
    const items: JsonNode[] = [];
    const finalComma = elements("]", () => void items.push(node()));
    return { value: items.map((item) => item.value), start, end: at, items, finalComma };
  };
  const node = (): JsonNode => {
    skip();
    const start = at;
    if (take("{")) return object(start);
    if (take("[")) return array(start);
    return scalar();
  };

  const root = node();
  skip();
  if (at < text.length) throw wrong();
  return root;
}
