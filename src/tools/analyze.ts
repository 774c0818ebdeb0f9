/** The tool `pin.analyze`: words and wiring; the work is `service/analyze.ts`. */
import { analysis } from "../schema/analysis.ts";
import { analyzeInput } from "../schema/brief.ts";
import { analyze } from "../service/analyze.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { analysisText } from "./analysis-text.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const analyzeTool = (ports: ServicePorts): Tool<typeof analyzeInput, typeof analysis> => ({
  name: "pin.analyze",
  title: "Brief or document coverage",
  description: `Examine several repositories for the documents they are expected to hold (README.md, docs/architecture.md, AGENTS.md, docs/development.md): gaps, a comparison, or a brief of cited facts.
Use brief before a decision, with changeRange to take in what changed between two commits; for all changed paths use pin_compare, and for one repository's tip pin_inspect.
Read-only; per repository at most 3 GitHub requests, for a brief one more per document. Nothing is inferred: a document is found, missing or blocked. A repository that cannot be read, or is left out beyond 20, is named among the gaps with the reason and is no error for the others.`,
  annotations: READ_ONLY,
  input: analyzeInput,
  output: analysis,
  route: { path: "/v1/analyze", methods: ["GET", "POST"] },
  run: (input, call) => analyze(ports, input, call),
  httpStatus: () => 200,
  text: analysisText,
});
