/** Text of repositories and notes on its way to a terminal: control and direction characters become U+FFFD. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");
