/** What reading a data format gives: the value, or why there is none. Parsers here never throw and never guess. */

export type Parsed = { value: unknown } | { fault: string };

/** Runs a library's parser. Its message is left out: it repeats the file's content. */
export function parsedBy(format: string, parse: () => unknown): Parsed {
  try {
    return { value: parse() };
  } catch {
    return { fault: `it is not valid ${format}` };
  }
}

/** The value at a path of keys. Only own keys count, so `constructor` or `__proto__` in a file find nothing else. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || Array.isArray(at) || !Object.hasOwn(at, key))
      return undefined;
    at = Object.getOwnPropertyDescriptor(at, key)?.value;
  }
  return at;
}

/** Own keys with their values; none for what is not a plain table. */
export const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** The strings of a list; null when it is no list of strings. */
export const stringsOf = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((item): item is string => typeof item === "string") ? value : null;
