/**
 * For `npm run bench`: a call of 100 edits over 50 files, planned through the binding in workerd, beside reading the same 50 files
 * once. A plan reads each file, edits it and reads what came of it, so that twice as long is the least there is.
 */
import { ENTITIES_ENTRY, startWorker } from "../src/local/workerd.ts";
import type { PlanPosted } from "../test/support/entities-caller.ts";
import { nodeEntityParser } from "../test/support/entity-parser.ts";
import { MemoryHead, REPOSITORY_ID } from "../test/support/memory-head.ts";
import { packed } from "../test/support/packed-bytes.ts";
import { recordingHead } from "../test/support/recording-head.ts";

const FILES = 50;
const FUNCTIONS = 40;
const ROUNDS = 7;

export interface EntitiesFigures {
  kib: number;
  /** Milliseconds of each round, the request to the Worker included. */
  read: number[];
  readAgain: number[];
  plan: number[];
}

const source = (file: number): string =>
  Array.from(
    { length: FUNCTIONS },
    (_, index) =>
      `/** Adds what file ${file} adds at place ${index}. */\nexport function add${index}(values: readonly number[], by = ${index}): number[] {\n  return values.map((value) => value + by);\n}\n`,
  ).join("\n");

export async function benchEntities(): Promise<EntitiesFigures> {
  const paths = Array.from({ length: FILES }, (_, index) => `src/file${index}.ts`);
  const head = new MemoryHead(Object.fromEntries(paths.map((path, index) => [path, source(index)])));
  const edits = await Promise.all(
    paths.flatMap((path) => [
      head.patch(path, "add3", ["value + by", "by + value"]),
      head.patch(path, "add30", ["value + by", "value + by + 1"]),
    ]),
  );
  const { view, answers } = recordingHead(head);
  const request: PlanPosted["request"] = {
    repositoryId: REPOSITORY_ID,
    repository: "demo",
    branch: "main",
    head: head.head,
    tree: head.tree,
    operations: edits,
  };
  await nodeEntityParser().plan(request, view);
  // Of another repository in each round: what was read before is kept.
  const filesOf = (repositoryId: number) =>
    packed([...head.files].map(([path, file]) => ({ repositoryId, path, ...file })));

  const worker = await startWorker({
    entry: "test/support/entities-caller.ts",
    kv: [],
    entities: ENTITIES_ENTRY,
    onLog: () => undefined,
  });
  const posted = packed({ request, answers });
  const timed = async (path: "/read" | "/plan", body: string, expected: string): Promise<number> => {
    const before = performance.now();
    const response = await fetch(`${worker.url}${path}`, { method: "POST", body });
    const text = await response.text();
    const took = performance.now() - before;
    if (!response.ok || !text.includes(expected)) throw new Error(`${path}: ${text.slice(0, 300)}`);
    return took;
  };
  try {
    const figures: EntitiesFigures = {
      kib: [...head.files.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / 1024,
      read: [],
      readAgain: [],
      plan: [],
    };
    for (let round = 0; round <= ROUNDS; round++) {
      const files = filesOf(round);
      const read = await timed("/read", files, '"status":"read"');
      const readAgain = await timed("/read", files, '"status":"read"');
      const plan = await timed("/plan", posted, '"status":"planned"');
      if (round === 0) continue;
      figures.read.push(read);
      figures.readAgain.push(readAgain);
      figures.plan.push(plan);
    }
    return figures;
  } finally {
    await worker.close();
  }
}
