/**
 * For tests: a Worker that hands what is posted to it to the Worker bound as `ENTITIES`, as the product does, and answers with
 * what came back. Bytes travel as base64. A plan's view answers from the posted records; what they do not hold, it throws.
 */
import { env } from "cloudflare:workers";
import type { FileAtHead, HeadView } from "../../src/core/entity/edit/head-view.ts";
import type { PlanRequest } from "../../src/core/entity/edit/plan-mutation.ts";
import { asGitpinError, GitpinError } from "../../src/errors.ts";
import { boundParser } from "../../src/parsing/bound-parser.ts";
import type { EntitiesRpc } from "../../src/parsing/entities-rpc.ts";
import type { SourceFile } from "../../src/ports/entity-parser.ts";
import { packed, unpacked } from "./packed-bytes.ts";

export interface PlanPosted {
  request: PlanRequest;
  /** Answers of the view: the operation and its arguments as JSON, to what it answered. */
  answers: Record<string, unknown>;
}

const binding = (env as { ENTITIES: EntitiesRpc & Fetcher }).ENTITIES;
const parser = boundParser(binding);

/** Thrown for what was not recorded: the very object must come out again. */
const notRecorded = new GitpinError("upstream_unavailable", "Not recorded.", "Record it.", {
  by: "the view",
});

function viewOf(answers: PlanPosted["answers"]): HeadView {
  const recorded = async <T>(...question: string[]): Promise<T> => {
    const key = JSON.stringify(question);
    if (!(key in answers)) throw notRecorded;
    return answers[key] as T;
  };
  return {
    file: (path) => recorded<FileAtHead | null>("file", path),
    directory: (path) => recorded("directory", path),
    directoryId: (commit, path) => recorded("directoryId", commit, path),
    goModules: () => recorded("goModules"),
  };
}

const work: Record<string, (posted: unknown) => Promise<unknown>> = {
  "/read": (posted) => parser.readAll(posted as SourceFile[]),
  "/plan": async (posted) => {
    const { request, answers } = posted as PlanPosted;
    return await parser.plan(request, viewOf(answers));
  },
  "/fetch": async () => (await binding.fetch("https://entities.invalid/")).status,
};

export default {
  async fetch(request: Request): Promise<Response> {
    const posted = unpacked(await request.text());
    try {
      const answer = await work[new URL(request.url).pathname]?.(posted);
      return new Response(packed(answer));
    } catch (thrown) {
      const report = { ...asGitpinError(thrown).report(), same: thrown === notRecorded };
      return Response.json(report, { status: 500 });
    }
  },
};
