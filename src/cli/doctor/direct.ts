/**
 * The way without a service: is the registry file good, is the token, what is left of the rate limit, can each repository be
 * read? Asks the configured API host and no other. `GET /rate_limit` costs nothing (GitHub's REST description).
 */
import * as z from "zod";
import type { Config } from "../../config.ts";
import { GitpinError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { directConfig, directTools, readRegistryFile } from "../direct.ts";
import type { Environment } from "../environment.ts";
import { checked, type Findings } from "./findings.ts";
import { diagnoseRepositories } from "./repositories.ts";

const rateLimit = z.object({
  resources: z.object({ core: z.object({ limit: z.number(), remaining: z.number(), reset: z.number() }) }),
});

export async function diagnoseDirect(
  registryPath: string,
  environment: Environment,
  findings: Findings,
): Promise<void> {
  const config = await checked(findings, "settings", () => directConfig(environment));
  const registry = await checked(findings, "registry", () => readRegistryFile(registryPath));
  if (registry !== null) {
    const count = registry.repositories.length;
    findings.ok(`registry ${registryPath} is valid: ${count} ${count === 1 ? "repository" : "repositories"}`);
  }
  if (config === null) return;
  if (config.token === null) {
    findings.note("GITHUB_TOKEN is not set: public repositories only, 60 requests an hour at github.com");
  }
  const reachable = await checked(findings, "GitHub", () => diagnoseBudget(config, findings));
  if (registry === null || reachable === null) return;
  const call = await directTools(registryPath, environment);
  await diagnoseRepositories({ call }, findings);
}

async function diagnoseBudget({ apiUrl, token, timeoutMs }: Config, findings: Findings): Promise<true> {
  const response = await fetch(`${apiUrl}/rate_limit`, {
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: "application/vnd.github+json",
      "user-agent": `gitpin-edge/${VERSION}`,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  }).catch((cause: unknown) => {
    throw new GitpinError(
      "upstream_unavailable",
      `${apiUrl} did not answer.`,
      "Check GITHUB_API_URL and the network.",
      {},
      { cause },
    );
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.status === 401) {
    throw new GitpinError(
      "upstream_unauthorized",
      "GITHUB_TOKEN is not accepted.",
      "Make a new token; reading needs Contents: read and Metadata: read.",
    );
  }
  // A server of one's own may have rate limits switched off, and says so with a 404.
  if (response.status === 404) {
    findings.ok(`${apiUrl} answers and has no rate limit`);
    return true;
  }
  const limits = rateLimit.safeParse(body);
  if (!limits.success) {
    throw new GitpinError(
      "upstream_unexpected",
      `${apiUrl} answered ${response.status} with something that is not GitHub's.`,
      "Set GITHUB_API_URL to https://api.github.com or https://HOST/api/v3.",
    );
  }
  const { limit, remaining, reset } = limits.data.resources.core;
  const until = new Date(reset * 1000).toISOString();
  const text = `${apiUrl} answers: ${remaining} of ${limit} requests left until ${until}`;
  if (remaining > 0) findings.ok(`${text}${token === null ? "" : "; GITHUB_TOKEN is accepted"}`);
  else findings.fail(text, 2);
  return true;
}
