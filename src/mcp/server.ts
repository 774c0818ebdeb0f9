/**
 * The product's MCP server: one for each message, over tables that are made once per isolate. It answers from the
 * tool definitions and adds nothing. The SDK's low-level server, since our own schemas check arguments (its own
 * check answers with text that names no next step) and registering a dozen tools per message would cost more than a call.
 */
import {
  type CacheHint,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type Transport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import type { Spelling } from "../ports/call.ts";
import { checkArguments } from "../tools/invoke.ts";
import { respellProse, spellName } from "../tools/spelling.ts";
import type { Tool } from "../tools/tool.ts";
import { toolsFor, toolsKey } from "../tools/tools-for.ts";
import { instructions } from "./instructions.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import { callTool, toolTable } from "./tool-call.ts";
import { listTools } from "./tool-listing.ts";
import type { Visit } from "./visit.ts";

export interface ServerOptions {
  tools: readonly Tool[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
  version: string;
}

/** Listings change with a deployment only; they are each caller's own. */
const LISTING: CacheHint = { ttlMs: 300_000, cacheScope: "private" };

/** Parameters as they come, to be checked here: the SDK calls those of a wrong form an internal error (-32603). */
const UNCHECKED = { params: z.looseObject({}) };

/** Everything that is the same for callers with the same tools, in one spelling. */
function tablesOf(options: ServerOptions, spelling: Spelling) {
  const names = options.tools.map((tool) => tool.name);
  const respell = respellProse(names, spelling);
  let tools: ReturnType<typeof listTools> | undefined;
  return {
    table: toolTable(options.tools),
    instructions: respell(instructions((tool) => names.includes(tool))),
    nameOf: (tool: string) => (names.includes(tool) ? spellName(tool, spelling) : null),
    tools: () => (tools ??= listTools(options.tools, spelling)),
    resources: options.resources.map(({ read: _, description, ...words }) => ({
      ...words,
      description: respell(description),
    })),
    prompts: options.prompts.map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: respell(prompt.description),
      arguments: Object.entries(prompt.arguments.shape).map(([name, field]) => ({
        name,
        description: respell(field.description ?? ""),
        required: !field.isOptional(),
      })),
    })),
  };
}

/** All lists fit one page, so no cursor was ever given out. */
function refuseCursor({ cursor }: Record<string, unknown>): void {
  if (cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is one page only: leave cursor out.", {
    field: "cursor",
  });
}

/** What a handler other than `tools/call` throws: the code of the protocol, the report as data. */
function protocolError(thrown: unknown, visit: Visit): ProtocolError {
  const error = visit.exchange.failed(thrown);
  const code =
    error.form.fault === "caller" ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, `${error.message} ${error.nextStep}`, error.report());
}

async function readResource(options: ServerOptions, uri: unknown, visit: Visit): Promise<ReadResourceResult> {
  if (typeof uri !== "string") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "uri must be text. Ask resources/list.", {
      field: "uri",
    });
  }
  const resource = options.resources.find((one) => one.uri === uri);
  if (resource === undefined) throw new ResourceNotFoundError(uri);
  try {
    const text = await resource.read({ ...visit.call, spelling: visit.spelling });
    return { contents: [{ uri, mimeType: resource.mimeType, text }] };
  } catch (thrown) {
    throw protocolError(thrown, visit);
  }
}

function getPrompt(
  options: ServerOptions,
  name: unknown,
  given: unknown,
  nameOf: (tool: string) => string | null,
  visit: Visit,
): GetPromptResult {
  const prompt = options.prompts.find((one) => one.name === name);
  try {
    if (prompt === undefined) {
      throw new GitpinError("invalid_argument", "There is no prompt of that name.", "Ask prompts/list.", {
        field: "name",
        known: options.prompts.map((one) => one.name),
      });
    }
    const text = prompt.text(checkArguments(prompt.arguments, given ?? {}), nameOf);
    return {
      description: prompt.description,
      messages: [{ role: "user", content: { type: "text", text } }],
    };
  } catch (thrown) {
    throw protocolError(thrown, visit);
  }
}

/** Tells the exchange of every protocol error that goes out, those that the SDK makes by itself too. */
class ObservedServer extends Server {
  readonly #visit: Visit;

  constructor(visit: Visit, ...rest: ConstructorParameters<typeof Server>) {
    super(...rest);
    this.#visit = visit;
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if ("error" in message) this.#visit.exchange.rpcFailed(message.error.code);
      return send(message, options);
    };
    await super.connect(transport);
  }
}

/** Makes servers. Tables are made on first use, once for each spelling and set of tools that callers have. */
export function createServerFactory(options: ServerOptions): (visit: Visit) => Server {
  const made = new Map<string, ReturnType<typeof tablesOf>>();
  const tablesFor = ({ spelling, call: { caller } }: Visit) => {
    const key = `${spelling} ${toolsKey(options.tools, caller)}`;
    const tables =
      made.get(key) ?? tablesOf({ ...options, tools: toolsFor(options.tools, caller) }, spelling);
    made.set(key, tables);
    return tables;
  };

  return (visit) => {
    const tables = tablesFor(visit);
    const server = new ObservedServer(
      visit,
      { name: "gitpin", title: "GitPin", version: options.version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: tables.instructions,
        cacheHints: {
          "tools/list": LISTING,
          "resources/list": LISTING,
          "resources/templates/list": LISTING,
          "prompts/list": LISTING,
          "server/discover": LISTING,
        },
      },
    );
    server.setRequestHandler("tools/list", UNCHECKED, (params) => {
      refuseCursor(params);
      return { tools: tables.tools() };
    });
    server.setRequestHandler("tools/call", ({ params }, context) =>
      callTool(tables.table, params.name, params.arguments, visit, context),
    );
    server.setRequestHandler("resources/list", UNCHECKED, (params) => {
      refuseCursor(params);
      return { resources: tables.resources };
    });
    server.setRequestHandler("resources/templates/list", UNCHECKED, (params) => {
      refuseCursor(params);
      return { resourceTemplates: [] };
    });
    server.setRequestHandler("resources/read", UNCHECKED, ({ uri }) => readResource(options, uri, visit));
    server.setRequestHandler("prompts/list", UNCHECKED, (params) => {
      refuseCursor(params);
      return { prompts: tables.prompts };
    });
    server.setRequestHandler("prompts/get", UNCHECKED, ({ name, arguments: given }) =>
      getPrompt(options, name, given, tables.nameOf, visit),
    );
    return server;
  };
}
