/** The tool `kin_mutate`: words and wiring; the work is `service/mutation/mutate.ts`. */
import { MUTATION_LIMITS, mutateInput } from "../schema/mutation.ts";
import { type MutationResult, mutationResult } from "../schema/mutation-result.ts";
import { mutate } from "../service/mutation/mutate.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { mutationStatus } from "./http-status.ts";
import { mutationText } from "./mutation-text.ts";
import type { Tool } from "./tool.ts";

export const mutateTool = (ports: ServicePorts): Tool<typeof mutateInput, typeof mutationResult> => ({
  name: "kin_mutate",
  title: "Commit edits of code entities",
  description: `Commit edits of code entities (patch, update, create, remove, imports) to a branch, all operations in one commit or none.
First read: get_entity_source gives the source_base that an edit takes, kin_status the repository_base for units and imports; hand them back unchanged. A receipt brings fresh ones, so go on from it without reading. Use pin_read and pin_prove instead where nothing is to change; set dry_run to see diff and checks first.
Bases of an older head are carried over while their source still stands. Otherwise status "conflict" shows the present source; what cannot be done is "refused" with the way out; both leave the repository as it was. A protected branch is an error: name a new branch with create_branch and pull_request. With request_id a repeated call commits once.`,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: "kin:write",
  bodyBytes: MUTATION_LIMITS.callBytes,
  input: mutateInput,
  output: mutationResult,
  route: { path: "/v1/kin/mutate", methods: ["POST"] },
  run: (input, call) => mutate(ports, input, call),
  httpStatus: (result: MutationResult) => mutationStatus(result.status),
  text: mutationText,
});
