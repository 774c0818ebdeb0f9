/** The tool `pin.compare`: words and wiring; the work is `service/compare.ts`. */
import { type Comparison, compareInput, comparison } from "../schema/comparison.ts";
import { compare } from "../service/compare.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { packStatus } from "./http-status.ts";
import { comparisonText } from "./page-text.ts";
import { pinnedByBoth } from "./pinned.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const compareTool = (ports: ServicePorts): Tool<typeof compareInput, typeof comparison> => ({
  name: "pin.compare",
  title: "Compare two commits",
  description: `Compare two commits of one repository: every path whose content, kind or mode differs, with git's letters, and the commits that head has and base has not.
Use to see what changed between two SHAs, in whatever order they stand; use pin_inspect for what recent commits touched, and pin_prove to cite a changed file.
Read-only; 6 to 12 GitHub requests the first time, none when cached. It compares the two trees, as git diff base head does, not head with the merge base. Lists come in pages and are never cut silently. A commit that is not there gives status "missing", one that no registered ref leads to may give "blocked"; a forbidden path is named as blocked, without what stands there.`,
  annotations: READ_ONLY,
  input: compareInput,
  output: comparison,
  route: { path: "/v1/compare", methods: ["GET", "POST"] },
  run: (input, call) => compare(ports, input, call),
  pinned: pinnedByBoth,
  httpStatus: (result: Comparison) => packStatus(result.status),
  text: comparisonText,
});
