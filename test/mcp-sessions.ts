/**
 * The official clients of both eras, connected: what tests ask of a client, whichever it is. The clients check every
 * structured answer against the tool's declared output schema once they have listed the tools.
 */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const IDENTITY = { name: "interop-test", version: "1.0.0" };

export interface Content {
  structuredContent?: unknown;
  isError?: unknown;
  content?: unknown;
}

/** What tests ask of a client, whichever it is. */
export interface Session {
  client: Pick<
    Client,
    "listTools" | "listResources" | "listPrompts" | "readResource" | "getPrompt" | "close"
  >;
  call(name: string, given: Record<string, unknown>): Promise<Content>;
  instructions: string | undefined;
}

const headersOf = (token: string | null) =>
  token === null ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

async function withNewClient(
  url: string,
  mode: "legacy" | { pin: string },
  token: string | null,
): Promise<Session> {
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), headersOf(token)));
  assert.equal(client.getNegotiatedProtocolVersion(), mode === "legacy" ? "2025-11-25" : mode.pin);
  return {
    client,
    call: (name, given) => client.callTool({ name, arguments: given }),
    instructions: client.getInstructions(),
  };
}

async function withOldClient(url: string, token: string | null): Promise<Session> {
  const client = new OldClient(IDENTITY);
  // The old SDK's own types do not hold under `exactOptionalPropertyTypes`.
  const transport = new OldTransport(new URL(url), headersOf(token));
  await client.connect(transport as unknown as Parameters<OldClient["connect"]>[0]);
  return {
    client: client as unknown as Session["client"],
    call: (name, given) => client.callTool({ name, arguments: given }) as Promise<Content>,
    instructions: client.getInstructions(),
  };
}

/** By name, how each connects; with a bearer token, where one is given. */
export const CLIENTS: Record<string, (url: string, token?: string | null) => Promise<Session>> = {
  "client 2.4 speaking 2026-07-28": (url, token = null) => withNewClient(url, { pin: "2026-07-28" }, token),
  "client 2.4 speaking 2025-11-25": (url, token = null) => withNewClient(url, "legacy", token),
  "sdk 1.32": (url, token = null) => withOldClient(url, token),
};

/** The text of the first content block. */
export const textOf = (result: Content): string => {
  const [first] = result.content as { type: string; text: string }[];
  assert.equal(first?.type, "text");
  return first.text;
};
