/**
 * Entry of the second Worker, which parses source for the first: RPC over a service binding, nothing else. It has no bindings,
 * no secrets and no address of its own; a file that takes it down takes nothing down with it.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { HeadView } from "./core/entity/edit/head-view.ts";
import type { Outcome } from "./core/entity/edit/outcome.ts";
import type { PlanRequest } from "./core/entity/edit/plan-mutation.ts";
import { bundledGrammars } from "./parsing/bundled-grammars.ts";
import { type EntitiesRpc, servedParser } from "./parsing/entities-rpc.ts";
import { createEntityParser } from "./parsing/entity-parser.ts";
import { createSyntaxReader } from "./parsing/syntax-reader.ts";
import type { SourceFile, SourceReading } from "./ports/entity-parser.ts";

const parser = servedParser(createEntityParser(createSyntaxReader(bundledGrammars)));

export default class EntitiesWorker extends WorkerEntrypoint implements EntitiesRpc {
  override fetch(): Response {
    return new Response(null, { status: 404 });
  }

  read(files: readonly SourceFile[]): Promise<SourceReading[]> {
    return parser.read(files);
  }

  plan(request: PlanRequest, view: HeadView): Promise<Outcome> {
    return parser.plan(request, view);
  }
}
