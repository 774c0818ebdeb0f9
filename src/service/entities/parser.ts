/** The part that parses, or the error that says that there is none. */
import { GitpinError } from "../../errors.ts";
import type { EntityParser } from "../../ports/entity-parser.ts";
import type { ServicePorts } from "../service-ports.ts";

export const NO_PARSER = "This deployment has no part that parses source, so no entities are known here.";

/** Throws `entities_unavailable` where nothing parses. */
export function parserOf({ entities }: Pick<ServicePorts, "entities">): EntityParser {
  if (entities !== null) return entities;
  throw new GitpinError(
    "entities_unavailable",
    NO_PARSER,
    "Search with pin_search_code and read with pin_read; the operator may deploy the Worker of the entities and bind it.",
  );
}
