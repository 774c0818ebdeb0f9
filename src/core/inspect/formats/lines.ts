/**
 * Line formats: `key: value` at the start of a line (Cabal, R's DESCRIPTION) and INI sections (`setup.cfg`).
 * Values that go on over further lines are given with their first line only where the caller wants one word.
 */

export const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** First `Key: value` at column 1, key compared in lower case; undefined when there is none. */
export function fieldOf(text: string, key: string): string | undefined {
  for (const line of linesOf(text)) {
    const colon = line.indexOf(":");
    if (colon > 0 && line.slice(0, colon).trimEnd().toLowerCase() === key && !/^\s/.test(line)) {
      return line.slice(colon + 1).trim();
    }
  }
  return undefined;
}

/** `key = value` or `key: value` of one INI section, on one line; undefined when there is none. */
export function iniValue(text: string, section: string, key: string): string | undefined {
  let inside = false;
  for (const line of linesOf(text)) {
    const header = /^\[([^\]]+)\]\s*$/.exec(line);
    if (header !== null) inside = header[1] === section;
    if (!inside || /^[\s#;]/.test(line)) continue;
    const sign = line.search(/[=:]/);
    if (sign > 0 && line.slice(0, sign).trim().toLowerCase() === key) return line.slice(sign + 1).trim();
  }
  return undefined;
}
