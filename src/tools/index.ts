/** All tools, in the contract's order, which is the order they are listed in. */
import type { ServicePorts } from "../service/service-ports.ts";
import { analyzeTool } from "./analyze.ts";
import { catalogTool } from "./catalog.ts";
import { compareTool } from "./compare.ts";
import { findEntitiesTool } from "./find-entities.ts";
import { getDocTool } from "./get-doc.ts";
import { getEntitySourceTool } from "./get-entity-source.ts";
import { inspectTool } from "./inspect.ts";
import { kinStatusTool } from "./kin-status.ts";
import { mutateTool } from "./mutate.ts";
import { proveTool } from "./prove.ts";
import { proveSetTool } from "./prove-set.ts";
import { readTool } from "./read.ts";
import { searchCodeTool } from "./search-code.ts";
import { searchDocsTool } from "./search-docs.ts";
import type { Tool } from "./tool.ts";
import { verifyTool } from "./verify.ts";
import { verifySetTool } from "./verify-set.ts";

export const createTools = (ports: ServicePorts): readonly Tool[] => [
  catalogTool(ports),
  searchDocsTool(ports),
  searchCodeTool(ports),
  proveTool(ports),
  proveSetTool(ports),
  getDocTool(ports),
  readTool(ports),
  verifyTool(ports),
  verifySetTool(ports),
  analyzeTool(ports),
  inspectTool(ports),
  compareTool(ports),
  kinStatusTool(ports),
  findEntitiesTool(ports),
  getEntitySourceTool(ports),
  mutateTool(ports),
];
