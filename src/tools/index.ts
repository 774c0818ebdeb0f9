/** All tools, in the order they are listed. */
import type { ServicePorts } from "../service/service-ports.ts";
import { catalogTool } from "./catalog.ts";
import { proveTool } from "./prove.ts";
import { readTool } from "./read.ts";
import type { Tool } from "./tool.ts";
import { verifyTool } from "./verify.ts";

export const createTools = (ports: ServicePorts): readonly Tool[] => [
  catalogTool(ports),
  readTool(ports),
  proveTool(ports),
  verifyTool(ports),
];
