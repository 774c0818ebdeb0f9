/** `pin.inspect`: one view of a repository's HEAD. The operation's part is filled, the others are null. */
import { envelopeOf } from "../../core/evidence/envelope.ts";
import { GitpinError } from "../../errors.ts";
import type { Call } from "../../ports/call.ts";
import type { NextCall } from "../../schema/common.ts";
import type { InspectInput, Inspection } from "../../schema/inspection.ts";
import { nameCommit, openCommit } from "../commit-gate.ts";
import { nextTool } from "../next.ts";
import type { ServicePorts } from "../service-ports.ts";
import { isOpen } from "../tree-comparison.ts";
import { changesOf } from "./changes.ts";
import { commitsOf } from "./commits.ts";
import { manifestOf } from "./manifest.ts";
import { statusOf } from "./status.ts";
import { testsOf } from "./tests.ts";
import type { View } from "./view.ts";

const ROWS = 20;

type Parts = Pick<Inspection, "status" | "commits" | "manifest" | "tests" | "changes">;
const NO_PARTS: Parts = { status: null, commits: null, manifest: null, tests: null, changes: null };

export async function inspect(ports: ServicePorts, input: InspectInput, call: Call): Promise<Inspection> {
  const at = await openCommit(await nameCommit(ports, call, { repository: input.repository }));
  const { head } = at;
  if (!isOpen(at) || head === null) {
    throw new GitpinError(
      "upstream_unexpected",
      `GitHub named ${at.commitSha} as HEAD and then did not have it.`,
      "Try again in a few seconds.",
    );
  }
  const parts = await partOf(input.operation, { at: { ...at, head }, limit: input.limit ?? ROWS });
  return {
    ...envelopeOf("inspection"),
    repository: at.entry.name,
    operation: input.operation,
    commitSha: at.commitSha,
    ...NO_PARTS,
    ...parts,
    head: { ...head },
    next: nextOf(parts, input.repository, at.commitSha, call),
  };
}

async function partOf(operation: InspectInput["operation"], view: View): Promise<Partial<Parts>> {
  switch (operation) {
    case "status":
      return { status: await statusOf(view) };
    case "commits":
      return { commits: await commitsOf(view) };
    case "manifest":
      return { manifest: await manifestOf(view) };
    case "tests":
      return { tests: await testsOf(view) };
    case "changes":
      return { changes: await changesOf(view) };
  }
}

/** The first file told of, to be proven; for commits, the comparison of the oldest shown with HEAD. */
function nextOf(parts: Partial<Parts>, repository: string, sha: string, call: Call): NextCall {
  const { commits, manifest, tests, changes } = parts;
  const oldest = commits?.items.at(-1)?.sha;
  if (oldest !== undefined && oldest !== sha) {
    return nextTool("pin.compare", call.spelling, { repository, base: oldest, head: sha });
  }
  const file =
    manifest?.items.find(({ reason }) => !reason?.startsWith("blocked"))?.path ??
    tests?.files.items[0]?.path ??
    changes?.items.find(({ blocked, status }) => !blocked && status !== "D")?.sourcePath;
  return file === undefined
    ? nextTool("pin.read", call.spelling, { repository, sha })
    : nextTool("pin.prove", call.spelling, { repository, sourcePath: file, sha });
}
