/** Sends one call of a soak run and reads its answer, REST or MCP, into one form. Every call takes a connection from one pool. */
import type { ErrorReport } from "../../src/errors.ts";
import type { Answer, Call } from "./calls.ts";

interface RpcBody {
  result?: { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] };
  error?: { code: number; message: string };
}

export async function ask(url: string, call: Call): Promise<Answer> {
  const { rpc } = call;
  if (rpc === undefined) {
    const response = await fetch(`${url}${call.path}`);
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, error: (body.error as ErrorReport | undefined) ?? null };
  }
  const response = await fetch(`${url}${call.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: rpc }),
  });
  const { result, error } = (await response.json()) as RpcBody;
  if (result === undefined) throw new Error(`${call.name}: JSON-RPC error ${JSON.stringify(error)}`);
  if (result.isError !== true)
    return { status: response.status, body: result.structuredContent ?? {}, error: null };
  const { error: report } = JSON.parse(result.content[0]?.text ?? "{}") as { error: ErrorReport };
  return { status: response.status, body: {}, error: report };
}
