/** One opened commit as its entities are read: what of the call, the repository and the parser takes part. */
import type { Policy } from "../../core/policy/policy.ts";
import type { Call } from "../../ports/call.ts";
import type { EntityParser } from "../../ports/entity-parser.ts";
import type { Commit, RepositoryReader } from "../../ports/repository-reader.ts";
import type { NamedCommit } from "../commit-gate.ts";
import { pauseOf } from "../pause.ts";
import type { ServicePorts } from "../service-ports.ts";
import type { OpenCommit } from "../tree-comparison.ts";
import { parserOf } from "./parser.ts";
import { type RememberedReadings, rememberedBy } from "./remembered.ts";

export interface EntityPlace {
  reader: RepositoryReader;
  commit: Commit;
  policy: Policy;
  parser: EntityParser;
  remembered: RememberedReadings;
  /** The host's numeric id, which entity ids are made from. */
  repositoryId: number;
  pause: () => Promise<void>;
}

/** Throws `entities_unavailable` where nothing parses. */
export async function entityPlace(
  ports: ServicePorts,
  call: Call,
  named: NamedCommit,
  { commit, policy }: Pick<OpenCommit["outcome"], "commit" | "policy">,
): Promise<EntityPlace> {
  const parser = parserOf(ports);
  const { entry, reader } = named;
  return {
    reader,
    commit,
    policy,
    parser,
    remembered: rememberedBy(parser),
    repositoryId: entry.id ?? (await reader.identity()).id,
    pause: pauseOf(ports, call),
  };
}
