/**
 * From settings and bindings to the application, once per isolate: adapters, service, tools, transports, in that order.
 * The one place that knows every part. Holds no logic; each part is opened by a file of its own beside this one.
 */
import { callerLimits } from "../auth/caller-limits.ts";
import { ANONYMOUS_WRITER, createGate } from "../auth/gate.ts";
import { teamMap } from "../auth/team-map.ts";
import { type Config, isLoopback } from "../config.ts";
import { type App, createApp } from "../http/app.ts";
import { BODY_LIMITS } from "../http/body.ts";
import { createMcpEndpoint } from "../mcp/endpoint.ts";
import { proveWithGitHead } from "../mcp/prompts/prove-with-git-head.ts";
import { catalogResource } from "../mcp/resources/catalog.ts";
import { createServerFactory } from "../mcp/server.ts";
import { boundParser } from "../parsing/bound-parser.ts";
import type { Call } from "../ports/call.ts";
import { newLedger } from "../ports/ledger.ts";
import { publicity } from "../registry/while-public.ts";
import { withinTeam } from "../registry/within-team.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { repositoryUnknown } from "../service/registered.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { catalogTool } from "../tools/catalog.ts";
import { createTools } from "../tools/index.ts";
import { notesGate } from "../tools/notes-gate.ts";
import type { Tool } from "../tools/tool.ts";
import { callBytes, toolsFor } from "../tools/tools-for.ts";
import { VERSION } from "../version.ts";
import type { Bindings } from "./bindings.ts";
import { openGitHub } from "./open-github.ts";
import { openRegistry } from "./open-registry.ts";
import { openWriting } from "./open-writing.ts";

/** Throws `invalid_argument` for settings and bindings that do not go together. `more`: tools beside the product's. */
export function assemble(config: Config, bindings: Bindings, more: readonly Tool[] = []): App {
  const clock = { now: () => Date.now() };
  const teams = teamMap(config.teams);
  const log = (line: object): void => console.log(JSON.stringify(line));
  const { registry: everything, live, standing, audit } = openRegistry(config, bindings, teams, clock, log);
  const hosted = openGitHub(config, bindings, clock);
  const { github, news, webhook, status, count } = hosted;
  const whilePublic = publicity({
    anonymous: config.anonymous,
    news,
    lastIdentity: (entry) => github.lastIdentity(entry),
  });
  const registry = whilePublic.registry(everything);

  const about = (entry: RepositoryEntry, call: Call) => ({
    entry,
    caller: call.caller,
    unknown: () => repositoryUnknown(call, entry.name),
  });
  const service: ServicePorts = {
    registry,
    open: (entry, call) => {
      call.opened?.({
        get public() {
          return whilePublic.mayBeKept(entry);
        },
      });
      return whilePublic.reader(withinTeam(github.open(entry, call), entry, teams), about(entry, call));
    },
    webUrl: config.webUrl,
    publicUrl: config.publicUrl,
    entities: bindings.ENTITIES === undefined ? null : boundParser(bindings.ENTITIES),
    writing: openWriting(bindings, {
      write: (entry, call) =>
        whilePublic.writer(github.openWriter(entry, call), github.open(entry, call), about(entry, call)),
      // A name that was given to somebody else within the hour must not be written under the old one.
      read: (entry, call) => ({ identity: () => github.identityNow(entry, call) }),
      teams,
      audit,
      clock,
      log,
    }),
    pause: () => scheduler.wait(0),
  };
  const writes = service.writing !== null && service.entities !== null;
  const tools = [...createTools(service), ...more].filter(({ scope }) => writes || scope !== "kin:write");

  const admit = createGate({
    adminToken: config.adminToken,
    anonymous: config.anonymous,
    anonymousWrites: config.anonymousWrites,
    limits: callerLimits(bindings.ADDRESS_LIMIT, bindings.TOKEN_LIMIT),
    enter: async (proof) => (await live?.enter(proof)) ?? null,
  });

  return createApp({
    tools,
    openCall: async (request, background) => {
      const [caller] = await Promise.all([admit(request), news?.refresh()]);
      return { caller, ledger: newLedger(), background, signal: request.signal };
    },
    ...(webhook === null ? {} : { webhook }),
    status,
    readiness: { registry: standing, host: hosted.standing },
    ...(live === null ? {} : { administration: live.administration }),
    registry,
    mcp: createMcpEndpoint({
      streaming: "progress",
      limits: ({ caller }) => ({
        ...BODY_LIMITS,
        bytes: callBytes(toolsFor(tools, caller), BODY_LIMITS.bytes),
      }),
      server: createServerFactory({
        tools,
        resources: [catalogResource(catalogTool(service))],
        prompts: [proveWithGitHead],
        version: VERSION,
      }),
    }),
    notes: notesGate(service),
    reach: {
      openReads: config.anonymous === "public" && !isLoopback(config.publicUrl),
      needsToken: config.anonymous === "none",
      loopback: isLoopback(config.publicUrl),
      anonymousScopes: config.anonymousWrites ? ANONYMOUS_WRITER.scopes : [],
    },
    guard: { hosts: config.hosts, origins: config.origins },
    publicUrl: config.publicUrl,
    docsUrl: config.docsUrl,
    version: VERSION,
    clock,
    log: (line) => {
      count(line);
      log(line);
    },
  });
}
