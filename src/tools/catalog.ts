/** The tool `pin.catalog`: words and wiring; the work is `service/catalog.ts`. */
import { catalogInput, catalog as catalogSchema } from "../schema/catalog.ts";
import { catalog } from "../service/catalog.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { catalogText } from "./text.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const catalogTool = (ports: ServicePorts): Tool<typeof catalogInput, typeof catalogSchema> => ({
  name: "pin.catalog",
  title: "List registered repositories",
  description: `List the repositories you may ask about, each with its HEAD commit, the refs that may be named, documentation count and freshness.
Use first, to learn the exact names that every other tool takes as repository; then use pin_read to look around or pin_prove to cite.
Read-only; at most one GitHub request per repository whose HEAD is older than its bound, and one after GitHub told of a change, else none. A repository that cannot be reached keeps its row with a status, a reason and stale: true; one you may not see is not there at all. Rows come in pages.`,
  annotations: READ_ONLY,
  input: catalogInput,
  output: catalogSchema,
  route: { path: "/v1/catalog", methods: ["GET", "POST"] },
  run: (input, call) => catalog(ports, input, call),
  httpStatus: () => 200,
  text: catalogText,
});
