/**
 * Text of repositories, notes and callers on its way to a terminal or a log: what cannot be seen, or moves what can be seen, becomes
 * U+FFFD: controls (C0, C1, line ends too), format and direction characters, line and paragraph separators. A tab is harmless, and
 * code is full of them.
 */
export const printable = (text: string): string =>
  text.replace(/(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");
