/** `POST /webhooks/github`: hands the request on as it is and answers 202 with what became of it. Reads nothing of it itself. */

/** What became of a delivery. */
export interface WebhookReceipt {
  outcome: "recorded" | "duplicate" | "ignored";
  event: string;
  delivery: string;
}

export type ReceiveWebhook = (request: Request) => Promise<WebhookReceipt>;

export const WEBHOOK_PATH = "/webhooks/github";

export async function serveWebhook(receive: ReceiveWebhook, request: Request): Promise<Response> {
  return Response.json(await receive(request), { status: 202 });
}
