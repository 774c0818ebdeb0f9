/** For tests: a Worker in the place of the one that parses source, which dies over one file and answers for all others. */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Outcome } from "../../src/core/entity/edit/outcome.ts";
import type { EntitiesRpc } from "../../src/parsing/entities-rpc.ts";
import type { SourceFile, SourceReading } from "../../src/ports/entity-parser.ts";

export default class DyingEntities extends WorkerEntrypoint implements EntitiesRpc {
  async read(files: readonly SourceFile[]): Promise<SourceReading[]> {
    if (files.some(({ path }) => path === "bomb.go")) process.exit(1);
    return files.map(({ path }) => ({ status: "refused", reason: "language_unsupported", message: path }));
  }

  plan(): Promise<Outcome> {
    process.exit(1);
  }
}
