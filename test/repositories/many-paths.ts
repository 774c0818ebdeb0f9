/**
 * A repository of 120,000 files, made by `git fast-import`: five trees of 20,000 files in 20 directories each, and one directory of
 * 20,000. Two commits: the second changes, adds and removes a few. Few distinct blobs, so it is small on disk.
 */
import { GitRepository } from "./git.ts";

export const PATHS = 120_000;
export const WIDE = "wide";

/** `area-A/dir-DD/file-FFF.ts`, and `wide/entry-NNNNN.txt`. */
function* paths(): Generator<string> {
  for (let area = 0; area < 5; area++) {
    for (let directory = 0; directory < 20; directory++) {
      for (let file = 0; file < 1000; file++) {
        const name = String(file).padStart(3, "0");
        yield `area-${area}/dir-${String(directory).padStart(2, "0")}/file-${name}.ts`;
      }
    }
  }
  for (let entry = 0; entry < 20_000; entry++) yield `${WIDE}/entry-${String(entry).padStart(5, "0")}.txt`;
}

export interface ManyPaths {
  repository: GitRepository;
  first: string;
  head: string;
}

const BLOBS = 50;

export function manyPaths(): ManyPaths {
  const repository = new GitRepository("many-paths");
  const lines: string[] = [];
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  for (let i = 0; i < BLOBS; i++) lines.push(`blob\nmark :${i + 1}\n${data(`export const value = ${i};\n`)}`);
  const commit = (mark: number, from: number | null, message: string): string =>
    `commit refs/heads/main\nmark :${mark}\ncommitter Ada <ada@example.com> ${1_767_225_600 + mark} +0000\n${data(message)}${from === null ? "" : `from :${from}\n`}`;
  lines.push(commit(1001, null, "many"));
  let at = 0;
  for (const path of paths()) lines.push(`M 100644 :${(at++ % BLOBS) + 1} ${path}\n`);
  lines.push(commit(1002, 1001, "few"));
  lines.push("M 100644 inline area-3/dir-07/file-500.ts\n", data("export const needle = 'found once';\n"));
  lines.push("M 100644 inline area-9/new.ts\n", data("export const added = 1;\n"));
  lines.push(`D ${WIDE}/entry-19999.txt\n`);
  repository.feed(lines.join(""), "fast-import", "--quiet", "--force");
  return {
    repository,
    first: repository.git("rev-parse", "main~1"),
    head: repository.git("rev-parse", "main"),
  };
}
