/** The subject of a commit message as `git log --format=%s` prints it: all lines up to the first blank one, joined. */

/** Lines that hold white space only are blank, before the subject too. */
export function subjectOf(message: string): string {
  const lines = message.split("\n").map((line) => line.replace(/[ \t\n\v\f\r]+$/, ""));
  const start = lines.findIndex((line) => line !== "");
  if (start === -1) return "";
  const end = lines.findIndex((line, index) => index > start && line === "");
  return lines.slice(start, end === -1 ? undefined : end).join(" ");
}
