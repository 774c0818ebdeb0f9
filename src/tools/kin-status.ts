/** The tool `kin_status`: words and wiring; the work is `service/entities/status.ts`. */
import { type KinStatus, kinStatusInput, kinStatus as kinStatusResult } from "../schema/entities.ts";
import { kinStatus } from "../service/entities/status.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { kinStatusText } from "./entity-text.ts";
import { entityStatus } from "./http-status.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const kinStatusTool = (ports: ServicePorts): Tool<typeof kinStatusInput, typeof kinStatusResult> => ({
  name: "kin_status",
  title: "Where a branch stands, and what you may change",
  description: `Show where a branch of a repository stands: its head and tree, the languages whose entities are read and edited here, and what you may change.
Use before you edit: it gives the repository_base that creating a source unit and changing imports take back unchanged. Then find functions and types with kin_find_entities; for commits, manifests or tests use pin_inspect instead.
Read-only; at most 3 GitHub requests, none when cached. writable speaks of you alone and says why not. A base is no permission: it is checked again when it is used. An empty repository is status "empty", with a base whose head is null; a policy file that cannot be read makes it "blocked".`,
  annotations: READ_ONLY,
  input: kinStatusInput,
  output: kinStatusResult,
  route: { path: "/v1/kin/status", methods: ["GET", "POST"] },
  run: (input, call) => kinStatus(ports, input, call),
  httpStatus: (answer: KinStatus) => entityStatus(answer.status),
  text: kinStatusText,
});
