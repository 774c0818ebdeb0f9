/**
 * How the command line asks: a hosted service (`GITPIN_URL`, `GITPIN_TOKEN`), or the hosted git itself with the same
 * tools in this process (`GITPIN_REGISTRY`). Refuses both and neither. Tokens go to the named service alone.
 */
import * as z from "zod";
import { ERROR_FORMS, type ErrorCode, GitpinError } from "../errors.ts";
import { directTools } from "./direct.ts";
import type { Environment } from "./output.ts";

/** A tool's result as JSON; still to be checked against the tool's schema by who asked. */
export interface Connection {
  /** `hosted` speaks to `url`; `direct` reads the registry file at `registry`. */
  kind: "hosted" | "direct";
  /** Runs a tool by its dotted name. Throws `GitpinError`, also for errors that the service reported. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export async function connect(environment: Environment): Promise<Connection> {
  const url = environment.GITPIN_URL;
  const registry = environment.GITPIN_REGISTRY;
  if ((url === undefined) === (registry === undefined)) {
    throw new GitpinError(
      "invalid_argument",
      url === undefined
        ? "Neither GITPIN_URL nor GITPIN_REGISTRY is set."
        : "GITPIN_URL and GITPIN_REGISTRY are both set.",
      "Set GITPIN_URL to ask a service, or GITPIN_REGISTRY to a registry file to ask the hosted git directly.",
    );
  }
  return url === undefined
    ? await direct(registry ?? "", environment)
    : hosted(url, environment.GITPIN_TOKEN);
}

async function direct(registry: string, environment: Environment): Promise<Connection> {
  const tools = await directTools(registry, environment);
  return { kind: "direct", call: (tool, input) => tools(tool, input) };
}

const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    nextStep: z.string(),
    data: z.record(z.string(), z.unknown()).default({}),
  }),
});

export function hosted(url: string, token: string | undefined): Connection {
  const base = url.replace(/\/+$/, "").replace(/\/mcp(\?.*)?$/, "");
  return {
    kind: "hosted",
    async call(tool, input) {
      const path = `/v1/${tool.replace(/^pin\./, "").replaceAll("_", "-")}`;
      const response = await send(`${base}${path}`, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(60_000),
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(input),
      });
      return await resultOf(response, base);
    },
  };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new GitpinError(
      "upstream_unavailable",
      `${new URL(url).origin} did not answer.`,
      "Check GITPIN_URL and that the service runs.",
      {},
      { cause },
    );
  }
}

async function resultOf(response: Response, base: string): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  const failed = errorBody.safeParse(body);
  if (failed.success) {
    const { code, message, nextStep } = failed.data.error;
    throw new GitpinError(
      code in ERROR_FORMS ? (code as ErrorCode) : "upstream_unexpected",
      message,
      nextStep,
    );
  }
  if (typeof body === "object" && body !== null && "product" in body) return body;
  throw new GitpinError(
    "upstream_unexpected",
    `${base} answered ${response.status} with something that is not an answer of this service.`,
    "Check that GITPIN_URL is the address of a gitpin service, without a path.",
  );
}
