/**
 * A hosted service, from the outside: does it answer, does its MCP endpoint list tools, is the token good, can each repository
 * be read, and what may be changed? Speaks MCP as a client of the 2025 era does, which every version of the service answers.
 */
import * as z from "zod";
import { GitpinError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { hosted, throwReported } from "../connection.ts";
import type { ServiceAddress } from "../service-address.ts";
import { askService } from "../service-request.ts";
import { diagnoseBudgets } from "./budget.ts";
import { checked, type Findings } from "./findings.ts";
import { diagnoseRepositories } from "./repositories.ts";
import { diagnoseWriting } from "./writing.ts";

const healthBody = z.object({ status: z.literal("ok"), version: z.string() });
const toolList = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })).min(1) }) });

export async function diagnoseHosted(address: ServiceAddress, findings: Findings): Promise<void> {
  const { base, token } = address;
  // Whoever cannot be reached is not asked four times; and the first question goes without the credential.
  const version = await checked(findings, "service", () => healthOf({ base, token: null }));
  if (version === null) return;
  findings.ok(`service ${base} answers, version ${version}`);
  if (version !== VERSION) findings.note(`this command line is version ${VERSION}`);
  const names = await checked(findings, "MCP", () => listTools(address));
  if (names !== null) findings.ok(`MCP ${base}/mcp?names=underscore lists ${names.length} tools`);
  if (names !== null && token !== null) findings.ok("GITPIN_TOKEN is accepted");
  if (token === null) findings.note("GITPIN_TOKEN is not set: only what callers without a token may see");
  if (names === null) return;
  const repositories = await diagnoseRepositories(hosted(address), findings);
  await diagnoseWriting(address, names, repositories, findings);
  // Last, so that it tells of what the checks before have asked for.
  await diagnoseBudgets(address, findings);
}

async function healthOf(address: ServiceAddress): Promise<string> {
  const answer = await askService(address, "/healthz");
  throwReported(answer);
  const health = healthBody.safeParse(answer.json);
  if (health.success) return health.data.version;
  throw new GitpinError(
    "upstream_unexpected",
    `${address.base}/healthz answered ${answer.status} with something that is not this service's.`,
    "Check that the address is that of a gitpin service.",
  );
}

async function listTools(address: ServiceAddress): Promise<string[]> {
  const answer = await askService(address, "/mcp?names=underscore", {
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
  });
  throwReported(answer);
  const listed = toolList.safeParse(answer.json);
  const dotted = listed.data?.result.tools.find(({ name }) => !/^[A-Za-z0-9_-]{1,64}$/.test(name));
  if (listed.success && dotted === undefined) return listed.data.result.tools.map(({ name }) => name);
  throw new GitpinError(
    "upstream_unexpected",
    listed.success
      ? `The MCP endpoint lists the tool ${JSON.stringify(dotted?.name)}, which many clients refuse.`
      : `The MCP endpoint answered ${answer.status} without a list of tools.`,
    "Check what stands between this machine and the service; MCP is POST to /mcp.",
  );
}
