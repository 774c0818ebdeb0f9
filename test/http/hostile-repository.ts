/** Files whose names and content try what a page must not let them: markup, script, bidirectional text, bytes that cannot be seen. */
import type { ExampleRepository } from "./example-repository.ts";

export const HOSTILE_PATH = `src/"><img src=x onerror=alert(1)>\u202Etxt.exe`;
export const HOSTILE_TEXT = [
  "<script>document.title='owned'</script>",
  "</td></table><style>body{display:none}</style>",
  "<svg onload=alert(1)><!-- &amp; &#60; ]]>",
  "if (role !== 'admin\u202E \u2066// only for users\u2069 \u2066') {",
  "zero\u200Bwidth \u{E0041}tag \u0007bell \u001b[31mred\u001b[0m soft\u00ADhyphen",
  "\ttab, then caf\u00e9, \u05e9\u05dc\u05d5\u05dd, \u65e5\u672c\u8a9e",
  `long ${"x".repeat(3000)} end`,
  "carriage return\r",
].join("\n");

/** Adds them as a third commit; gives its id. */
export function addHostile({ repository }: ExampleRepository): string {
  repository
    .write(HOSTILE_PATH, `${HOSTILE_TEXT}\n`)
    .write("many.txt", Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n"))
    .write("binary.bin", new Uint8Array([0, 1, 2, 255]))
    .write("empty.txt", "")
    .write("data.json", "{}\n");
  return repository.commit("Hostile");
}
