/** GitHub's published example payloads, and how GitHub signs what it sends. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Published {
  event: string;
  payload: Record<string, unknown> & {
    action?: string;
    ref?: string;
    repository?: Record<string, unknown>;
  };
}

export const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "payloads.json"), "utf8"),
) as Published[];

/** The first example of an event, and of an action where one is named. */
export function example(event: string, action?: string): Published["payload"] {
  const found = published.find(
    (one) => one.event === event && (action === undefined || one.payload.action === action),
  );
  if (found === undefined) throw new Error(`no example of ${event} ${action}`);
  return structuredClone(found.payload);
}

export interface Signed {
  secret?: string | null;
  delivery?: string;
  /** In place of the true one. */
  signature?: string;
}

let deliveries = 0;

/** A request as GitHub sends it. */
export function delivery(
  url: string,
  event: string,
  payload: unknown,
  { secret = "a-secret-of-the-webhook", delivery: id, signature }: Signed = {},
): Request {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const own = secret === null ? null : createHmac("sha256", secret).update(body).digest("hex");
  const sent = signature ?? (own === null ? undefined : `sha256=${own}`);
  deliveries += 1;
  return new Request(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/044aadd",
      "x-github-event": event,
      "x-github-delivery": id ?? `72d3162e-cc78-11e3-81ab-${String(deliveries).padStart(12, "0")}`,
      "x-github-hook-id": "292430182",
      ...(sent === undefined ? {} : { "x-hub-signature-256": sent }),
    },
  });
}
