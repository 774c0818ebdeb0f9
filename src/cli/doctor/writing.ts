/**
 * What this caller may change, repository by repository, in the words of `kin_status`. The tool that commits is listed only to who
 * holds the scope on a service that writes, so for nobody else it is asked. That nothing may be changed is no failure: answers need none of it.
 */
import { kinStatus } from "../../schema/entities.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { throwReported } from "../connection.ts";
import type { ServiceAddress } from "../service-address.ts";
import { askService } from "../service-request.ts";
import { checked, type Findings } from "./findings.ts";

/** `tools`: names that the service lists to this caller, with underscores. `repositories`: those to ask about. */
export async function diagnoseWriting(
  address: ServiceAddress,
  tools: readonly string[],
  repositories: readonly string[],
  findings: Findings,
): Promise<void> {
  // Versions before had neither.
  if (!tools.includes("kin_status")) return;
  if (!tools.includes("kin_mutate")) {
    findings.note("changes: none, for this caller has no scope kin:write or the service writes nothing");
    return;
  }
  for (const repository of repositories) {
    const status = await checked(findings, `changes, ${repository}`, () => statusOf(address, repository));
    if (status === null) continue;
    const { writable, entities } = status;
    if (writable.branches === null) {
      findings.note(`changes, ${repository}: none: ${writable.reason}`);
    } else {
      const paths = (writable.paths ?? []).join(" ");
      findings.ok(`changes, ${repository}: branches ${writable.branches.join(" ")}, paths ${paths}`);
    }
    if (!entities.available) findings.note(`changes, ${repository}: ${entities.reason}`);
  }
}

async function statusOf(address: ServiceAddress, repository: string) {
  const answer = await askService(address, "/v1/kin/status", { method: "POST", body: { repository } });
  throwReported(answer);
  return checkedAnswer(kinStatus, answer.json);
}
