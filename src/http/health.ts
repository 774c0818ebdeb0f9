/** `/healthz`: this isolate answers. Asks nobody upstream, and says nothing but the version. */
import { negotiate } from "./negotiation.ts";

export function health(request: Request, version: string): Response {
  const type = negotiate(request.headers.get("accept"), ["application/json", "text/plain"]);
  return type === "text/plain"
    ? new Response("ok\n", { headers: { "content-type": "text/plain; charset=utf-8" } })
    : Response.json({ status: "ok", version });
}
