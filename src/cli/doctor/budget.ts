/**
 * What a hosted service has left of GitHub's limits, where the token may see it: `GET /v1/status` is for admins. Says nothing to
 * others, and nothing of a version of the service that has no such route.
 */
import { serviceStatus } from "../../schema/status.ts";
import type { ServiceAddress } from "../service-address.ts";
import { askService } from "../service-request.ts";
import type { Findings } from "./findings.ts";

export async function diagnoseBudgets(address: ServiceAddress, findings: Findings): Promise<void> {
  if (address.token === null) return;
  const answer = await askService(address, "/v1/status");
  const status = serviceStatus.safeParse(answer.json);
  if (answer.status !== 200 || !status.success) return;
  const { github, webhooks, isolate } = status.data;
  for (const { holder, buckets, blockedUntil } of github.budgets) {
    if (blockedUntil !== null) {
      findings.fail(`GitHub, ${holder}: a secondary limit holds until ${blockedUntil}`, 2);
    }
    for (const { resource, limit, remaining, resetAt } of buckets) {
      const until = resetAt === null ? "" : ` until ${resetAt}`;
      const text = `GitHub, ${holder}: ${remaining} of ${limit} requests of ${resource} left${until}`;
      if (remaining > 0) findings.ok(text);
      else findings.fail(text, 2);
    }
  }
  if (github.budgets.length === 0) findings.note("GitHub: nothing was asked for since the service started");
  findings.note(webhooks === null ? "webhooks: none" : `webhooks: received, ${webhooks.receivedUpTo} so far`);
  const { cacheHitRate } = isolate;
  if (cacheHitRate !== null) findings.note(`caches: ${Math.round(cacheHitRate * 100)} of 100 objects served`);
}
