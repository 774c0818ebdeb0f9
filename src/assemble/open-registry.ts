/**
 * The registry of one isolate: the deployed file, or the live one in its Durable Object that begins with that file.
 * A registry that does not hold stops the isolate at its first line, naming the field.
 */
import bundledRegistry from "../../registry.json" with { type: "json" };
import type { TeamMap } from "../auth/team-map.ts";
import type { Config } from "../config.ts";
import { GitpinError } from "../errors.ts";
import type { Administration } from "../ports/administration.ts";
import type { Clock } from "../ports/clock.ts";
import type { CommitAudit } from "../ports/commit-audit.ts";
import type { RegistryStanding } from "../ports/readiness.ts";
import type { Registry } from "../ports/registry.ts";
import { createAdministration } from "../registry/administration.ts";
import { type CommitLine, liveCommitAudit, loggedCommitAudit } from "../registry/commit-audit.ts";
import { fileRegistry } from "../registry/file-registry.ts";
import { LiveRegistry } from "../registry/live-registry.ts";
import { checkRegistry, parseRegistry } from "../registry/parse-registry.ts";
import { type RegistryStub, registryHome } from "../registry/registry-home.ts";
import { REGISTRY_OBJECT_NAME } from "../registry/registry-object.ts";
import { createTokenDesk } from "../registry/token-desk.ts";
import type { Bindings } from "./bindings.ts";

export interface OpenedRegistry {
  registry: Registry;
  /** Reads a live one first, where that was not done for a while. */
  standing(): Promise<RegistryStanding>;
  /** Null where the registry is a file: then there are no tokens, so none that is presented holds. */
  live: { enter: LiveRegistry["enter"]; administration: Administration } | null;
  /** Where commits are told. */
  audit: CommitAudit;
}

/** The deployed registry: all there is, or what the live one starts with. */
const deployedRegistry = (config: Config) =>
  config.registryText === null
    ? checkRegistry(bundledRegistry)
    : parseRegistry(config.registryText, "REGISTRY");

/** Throws `invalid_argument` for a registry that does not hold, and where the live one's object is not bound. */
export function openRegistry(
  config: Config,
  { LIVE_REGISTRY: objects }: Bindings,
  teams: TeamMap,
  clock: Clock,
  log: (line: CommitLine) => void,
): OpenedRegistry {
  const { anonymous } = config;
  const seed = () => deployedRegistry(config);
  if (!config.live) {
    return {
      registry: fileRegistry(seed(), anonymous),
      standing: async () => "ok",
      live: null,
      audit: loggedCommitAudit(() => new Date(clock.now()).toISOString(), log),
    };
  }
  if (objects === undefined) {
    throw new GitpinError(
      "invalid_argument",
      "ADMIN_TOKEN or TEAMS is set, and there is no binding LIVE_REGISTRY.",
      "Bind the Durable Object class RegistryObject as LIVE_REGISTRY (see wrangler.toml).",
      { field: "LIVE_REGISTRY" },
    );
  }
  const home = registryHome(() => objects.getByName(REGISTRY_OBJECT_NAME) as unknown as RegistryStub);
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const maxAgeMs = config.registryMaxAgeSeconds * 1000;
  const registry = new LiveRegistry({ home, teams, clock, anonymous, maxAgeMs, seed });
  const desk = createTokenDesk({ home, teams, clock, random });
  return {
    registry,
    standing: async () => {
      try {
        await registry.enter(null);
        return registry.status().stale === null ? "ok" : "stale";
      } catch {
        // `enter` throws only where there is no state to go on with; the reason is in the log of a call.
        return "unavailable";
      }
    },
    live: {
      enter: (proof) => registry.enter(proof),
      administration: createAdministration(home, teams, desk),
    },
    audit: liveCommitAudit(home),
  };
}
