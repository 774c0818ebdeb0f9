/** What the steps of one mutation share: the call, where it goes, and the parts that read, parse and write. */
import type { Call } from "../../ports/call.ts";
import type { EntityParser } from "../../ports/entity-parser.ts";
import type { RepositoryReader } from "../../ports/repository-reader.ts";
import type { RepositoryWriter } from "../../ports/repository-writer.ts";
import type { MutateInput } from "../../schema/mutation.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import type { ServicePorts, WritingPorts } from "../service-ports.ts";
import type { Asked } from "./asked.ts";
import type { Target } from "./target.ts";

export interface MutationWork {
  ports: ServicePorts;
  call: Call;
  input: MutateInput;
  asked: Asked;
  target: Target;
  entry: RepositoryEntry;
  /** The host's numeric id. */
  repositoryId: number;
  defaultBranch: string;
  parser: EntityParser;
  writing: WritingPorts;
  reader: RepositoryReader;
  writer: RepositoryWriter;
}
