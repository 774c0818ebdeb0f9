// Reads a GraphQL document: operations with variables, fields with aliases, arguments and selections.
// Follows the GraphQL specification (September 2025), section 2. Refuses, with a parse error, what clients of this host do
// not send: fragments and directives.

export type Value =
  | { kind: "variable"; name: string }
  | { kind: "list"; items: Value[] }
  | { kind: "object"; members: Map<string, Value> }
  /** Enum values are strings here. */
  | { kind: "plain"; value: string | number | boolean | null };

export interface Location {
  /** 1-based, as `column`. */
  line: number;
  column: number;
}

export interface Field {
  name: string;
  /** What it is called in the answer. */
  key: string;
  arguments: Map<string, Value>;
  selection: Field[];
  location: Location;
}

export interface Operation {
  type: "query" | "mutation";
  name: string | null;
  variables: { name: string; required: boolean; fallback: Value | undefined }[];
  selection: Field[];
}

export class ParseError extends Error {
  readonly location: Location;
  constructor(found: string, location: Location) {
    const what = found === "" ? "Unexpected end of document" : `Parse error on ${JSON.stringify(found)}`;
    super(`${what} at [${location.line}, ${location.column}]`);
    this.location = location;
  }
}

interface Token {
  kind: "name" | "punctuator" | "number" | "string" | "end";
  text: string;
  at: number;
}

const IGNORED = /(?:[\s,\ufeff]|#[^\n\r]*)*/y;
const TOKEN =
  /(?<name>[_A-Za-z]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<block>"""(?:[^"\\]|\\"""|\\|"(?!""))*""")|(?<string>"(?:[^"\\\n\r]|\\.)*")|(?<punctuator>\.\.\.|[!$&()/:=@[\]{}|])/y;

class Parser {
  readonly #text: string;
  #end = 0;
  #token: Token;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#next(0);
  }

  document(): Operation[] {
    const operations: Operation[] = [];
    while (this.#token.kind !== "end") operations.push(this.#operation());
    if (operations.length === 0) throw this.#unexpected();
    return operations;
  }

  #operation(): Operation {
    if (this.#at("{")) return { type: "query", name: null, variables: [], selection: this.#selection() };
    const type = this.#token.text;
    if (type !== "query" && type !== "mutation") throw this.#unexpected();
    this.#advance();
    const name = this.#token.kind === "name" ? this.#name() : null;
    const variables = this.#at("(") ? this.#between("(", ")", () => this.#variable()) : [];
    return { type, name, variables, selection: this.#selection() };
  }

  #variable(): Operation["variables"][number] {
    this.#expect("$");
    const name = this.#name();
    this.#expect(":");
    const required = this.#type();
    const fallback = this.#skip("=") ? this.#value() : undefined;
    return { name, required: required && fallback === undefined, fallback };
  }

  /** Whether null is not allowed; what the type is, is for the fields to say. */
  #type(): boolean {
    if (this.#skip("[")) {
      this.#type();
      this.#expect("]");
    } else {
      this.#name();
    }
    return this.#skip("!");
  }

  #selection(): Field[] {
    return this.#between("{", "}", () => this.#field());
  }

  #field(): Field {
    const location = this.#location();
    const first = this.#name();
    const name = this.#skip(":") ? this.#name() : first;
    const given = this.#at("(") ? this.#between("(", ")", () => this.#member()) : [];
    const selection = this.#at("{") ? this.#selection() : [];
    return { name, key: first, arguments: new Map(given), selection, location };
  }

  #member(): [string, Value] {
    const name = this.#name();
    this.#expect(":");
    return [name, this.#value()];
  }

  #value(): Value {
    if (this.#skip("$")) return { kind: "variable", name: this.#name() };
    if (this.#at("[")) return { kind: "list", items: this.#between("[", "]", () => this.#value(), true) };
    if (this.#at("{")) {
      return { kind: "object", members: new Map(this.#between("{", "}", () => this.#member(), true)) };
    }
    const { kind, text } = this.#token;
    if (kind === "end" || kind === "punctuator") throw this.#unexpected();
    this.#advance();
    if (kind === "number") return { kind: "plain", value: Number(text) };
    if (kind === "string") return { kind: "plain", value: text };
    const words: Record<string, boolean | null> = { true: true, false: false, null: null };
    return { kind: "plain", value: Object.hasOwn(words, text) ? (words[text] ?? null) : text };
  }

  #between<T>(open: string, close: string, item: () => T, mayBeEmpty = false): T[] {
    this.#expect(open);
    const items: T[] = [];
    while (!this.#at(close)) items.push(item());
    if (items.length === 0 && !mayBeEmpty) throw this.#unexpected();
    this.#advance();
    return items;
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== "name") throw this.#unexpected();
    this.#advance();
    return text;
  }

  #at(punctuator: string): boolean {
    return this.#token.kind === "punctuator" && this.#token.text === punctuator;
  }

  #skip(punctuator: string): boolean {
    const there = this.#at(punctuator);
    if (there) this.#advance();
    return there;
  }

  #expect(punctuator: string): void {
    if (!this.#skip(punctuator)) throw this.#unexpected();
  }

  #advance(): void {
    this.#token = this.#next(this.#end);
  }

  #next(from: number): Token {
    IGNORED.lastIndex = from;
    IGNORED.exec(this.#text);
    const at = IGNORED.lastIndex;
    if (at >= this.#text.length) return { kind: "end", text: "", at };
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(this.#text);
    if (found === null) throw new ParseError(this.#text.charAt(at), locate(this.#text, at));
    this.#end = TOKEN.lastIndex;
    const { name, number, block, string, punctuator = "" } = found.groups ?? {};
    if (name !== undefined) return { kind: "name", text: name, at };
    if (number !== undefined) return { kind: "number", text: number, at };
    if (block !== undefined) return { kind: "string", text: blockText(block), at };
    if (string !== undefined) return { kind: "string", text: this.#quoted(string, at), at };
    return { kind: "punctuator", text: punctuator, at };
  }

  /** Escapes are JSON's, `\u{…}` aside. */
  #quoted(text: string, at: number): string {
    try {
      return JSON.parse(text) as string;
    } catch (reason) {
      if (reason instanceof SyntaxError) throw new ParseError(text, locate(this.#text, at));
      throw reason;
    }
  }

  #location(): Location {
    return locate(this.#text, this.#token.at);
  }

  #unexpected(): ParseError {
    return new ParseError(this.#token.text, this.#location());
  }
}

function locate(text: string, at: number): Location {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** A block string without its common indentation and its empty first and last lines. */
function blockText(block: string): string {
  const lines = block
    .slice(3, -3)
    .replaceAll('\\"""', '"""')
    .split(/\r\n|[\n\r]/);
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.search(/[^ \t]/)]));
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  const cut = lines.map((line, index) => (index === 0 ? line : line.slice(indent)));
  while (cut[0]?.trim() === "") cut.shift();
  while (cut.at(-1)?.trim() === "") cut.pop();
  return cut.join("\n");
}

/** Throws `ParseError`. */
export function parseDocument(text: string): Operation[] {
  return new Parser(text).document();
}

/** The operation that a request means; undefined when it does not say which of several. */
export function chosen(operations: readonly Operation[], name: string | undefined): Operation | undefined {
  if (name !== undefined) return operations.find((operation) => operation.name === name);
  return operations.length === 1 ? operations[0] : undefined;
}
