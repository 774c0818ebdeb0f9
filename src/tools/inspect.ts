/** The tool `pin.inspect`: words and wiring; the work is `service/inspect/`. */
import { inspectInput, inspection } from "../schema/inspection.ts";
import { inspect } from "../service/inspect/inspect.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { inspectionText } from "./page-text.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const inspectTool = (ports: ServicePorts): Tool<typeof inspectInput, typeof inspection> => ({
  name: "pin.inspect",
  title: "Inspect a repository's tip",
  description: `Inspect one repository at HEAD: its branch and latest commit, recent commits, package manifests with names, versions and scripts, where tests are kept, or the paths that recent commits touched.
Use to get to know a repository; for what differs between two commits use pin_compare, and for the text of a file pin_read.
Read-only; status and commits cost at most 4 GitHub requests, tests and manifest one more per manifest, changes one per commit examined (10 at most); none when cached. Lists are cut at limit and say so. A manifest that policy forbids is named as blocked and not read. Hosted git has no uncommitted work, and a failure to read is an error, never an empty list.`,
  annotations: READ_ONLY,
  input: inspectInput,
  output: inspection,
  route: { path: "/v1/inspect", methods: ["GET", "POST"] },
  run: (input, call) => inspect(ports, input, call),
  httpStatus: () => 200,
  text: inspectionText,
});
