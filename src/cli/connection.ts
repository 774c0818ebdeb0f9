/**
 * How the command line asks: a hosted service (`GITPIN_URL`, `GITPIN_TOKEN`), or the hosted git itself with the same
 * tools in this process (`GITPIN_REGISTRY`). Refuses both and neither. Tokens go to the named service alone.
 */
import * as z from "zod";
import { ERROR_FORMS, type ErrorCode, GitpinError } from "../errors.ts";
import { directTools } from "./direct.ts";
import type { Environment } from "./environment.ts";
import { type ServiceAddress, serviceAddress } from "./service-address.ts";
import { askService, type ServiceAnswer } from "./service-request.ts";

/** A tool's result as JSON; still to be checked against the tool's schema by who asked. */
export interface Connection {
  /** Runs a tool by its dotted name. Throws `GitpinError`, also for errors that the service reported. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Which of the two ways is set. Throws `invalid_argument` for both and for neither. */
export function chosenWay(
  environment: Environment,
): { kind: "hosted"; address: ServiceAddress } | { kind: "direct"; registryPath: string } {
  const { GITPIN_URL, GITPIN_TOKEN, GITPIN_REGISTRY } = environment;
  if (GITPIN_URL !== undefined && GITPIN_REGISTRY === undefined) {
    return { kind: "hosted", address: serviceAddress(GITPIN_URL, GITPIN_TOKEN) };
  }
  if (GITPIN_REGISTRY !== undefined && GITPIN_URL === undefined) {
    return { kind: "direct", registryPath: GITPIN_REGISTRY };
  }
  throw new GitpinError(
    "invalid_argument",
    GITPIN_URL === undefined
      ? "Neither GITPIN_URL nor GITPIN_REGISTRY is set."
      : "GITPIN_URL and GITPIN_REGISTRY are both set.",
    "Set GITPIN_URL to ask a service, or GITPIN_REGISTRY to a registry file to ask the hosted git directly.",
    { field: "GITPIN_URL" },
  );
}

export async function connect(environment: Environment): Promise<Connection> {
  const way = chosenWay(environment);
  return way.kind === "hosted"
    ? hosted(way.address)
    : { call: await directTools(way.registryPath, environment) };
}

/** The service alone: source is parsed and commits are made there, not in this process. Throws `invalid_argument`. */
export function connectService(environment: Environment): Connection {
  const way = chosenWay(environment);
  if (way.kind === "hosted") return hosted(way.address);
  throw new GitpinError(
    "invalid_argument",
    "Entities are found, read and edited by a service, and GITPIN_REGISTRY asks the hosted git directly.",
    "Set GITPIN_URL to a service (npm start is one) and leave GITPIN_REGISTRY out.",
    { field: "GITPIN_URL" },
  );
}

/** Where the tools about entities are served, under an address of their own. */
const ENTITY_PATHS: Readonly<Record<string, string>> = {
  kin_status: "/v1/kin/status",
  kin_find_entities: "/v1/kin/entities",
  get_entity_source: "/v1/kin/source",
  kin_mutate: "/v1/kin/mutate",
};

/** `pin.prove_set` is served at `/v1/prove-set`. */
export function hosted(address: ServiceAddress): Connection {
  return {
    async call(tool, input) {
      const path = ENTITY_PATHS[tool] ?? `/v1/${tool.replace(/^pin\./, "").replaceAll("_", "-")}`;
      return resultOf(await askService(address, path, { method: "POST", body: input }), address);
    },
  };
}

const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    nextStep: z.string(),
    data: z
      .record(
        z.string(),
        z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()]),
      )
      .catch({}),
  }),
});

/** The service's own error as an error; throws it. */
export function throwReported({ json }: ServiceAnswer): void {
  const failed = errorBody.safeParse(json);
  if (!failed.success) return;
  const { code, message, nextStep, data } = failed.data.error;
  const known = Object.hasOwn(ERROR_FORMS, code) ? (code as ErrorCode) : "upstream_unexpected";
  throw new GitpinError(known, message, nextStep, data);
}

function resultOf(answer: ServiceAnswer, { base }: ServiceAddress): unknown {
  throwReported(answer);
  const { json, status } = answer;
  if (typeof json === "object" && json !== null && "product" in json) return json;
  throw new GitpinError(
    "upstream_unexpected",
    `${base} answered ${status} with something that is not an answer of this service.`,
    "Check that GITPIN_URL is the address of a gitpin service.",
    { service: base },
  );
}
