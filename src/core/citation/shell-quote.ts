/**
 * Quotes text for a POSIX shell, safe to print and to paste. Follows POSIX.1-2017, Shell Command Language, 2.2.
 * Control characters other than a line feed, and characters that change how a line is shown, are printed as octal
 * escapes through printf: raw, a Ctrl-C inside a pasted command would end it early and run the rest as its own.
 * Refuses NUL, which no argument can carry.
 */

const PLAIN = /^[A-Za-z0-9_./:@%+,=-]+$/;
// A line feed is safe inside single quotes, and command substitution would strip it at the end.
const ESCAPED = /((?:(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029])+)/u;

export function shellQuote(text: string): string {
  if (text.includes("\0")) throw new RangeError("A shell argument cannot hold a NUL character.");
  if (PLAIN.test(text)) return text;
  if (text === "") return "''";
  return text
    .split(ESCAPED)
    .map((piece, index) => (index % 2 === 1 ? `"$(printf '${octal(piece)}')"` : single(piece)))
    .join("");
}

const single = (text: string): string => (text === "" ? "" : `'${text.replaceAll("'", "'\\''")}'`);

function octal(text: string): string {
  let out = "";
  for (const byte of new TextEncoder().encode(text)) out += `\\${byte.toString(8).padStart(3, "0")}`;
  return out;
}
