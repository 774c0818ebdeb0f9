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
import { rememberReadings } from "./parsing/remembered-readings.ts";
import { createSyntaxReader } from "./parsing/syntax-reader.ts";
import type { SourceFile, SourceReading } from "./ports/entity-parser.ts";

/** Bytes of readings kept in an isolate of 128 MB, most of which is for the largest plan. */
const KEPT_BYTES = 8 * 1024 * 1024;

const parser = servedParser(
  rememberReadings(createEntityParser(createSyntaxReader(bundledGrammars)), KEPT_BYTES),
);

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
