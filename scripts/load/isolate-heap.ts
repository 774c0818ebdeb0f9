/**
 * The V8 heap of a Worker in workerd, through its inspector: what Cloudflare's limit of 128 MB counts, unlike the memory of the
 * process, which holds the runtime and its other isolates too.
 */
import { once } from "node:events";
import * as z from "zod";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const usage = z.object({ id: z.number(), result: z.object({ usedSize: z.number() }) });

export interface HeapMeter {
  usedBytes(): Promise<number>;
  close(): void;
}

/** `port`: `inspectorPort` of the running Worker. */
export async function heapMeter(port: number): Promise<HeapMeter> {
  const listed = targets.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const target = listed.find(({ webSocketDebuggerUrl }) => /core:user:/.test(webSocketDebuggerUrl));
  if (target === undefined) throw new Error("the inspector names no Worker of ours");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, "open");
  const waiting = new Map<number, (bytes: number) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = usage.safeParse(JSON.parse(String(data))).data;
    if (answer === undefined) return;
    waiting.get(answer.id)?.(answer.result.usedSize);
    waiting.delete(answer.id);
  });
  let asked = 0;
  return {
    usedBytes() {
      const { promise, resolve } = Promise.withResolvers<number>();
      asked += 1;
      waiting.set(asked, resolve);
      socket.send(JSON.stringify({ id: asked, method: "Runtime.getHeapUsage" }));
      return promise;
    },
    close: () => socket.close(),
  };
}
