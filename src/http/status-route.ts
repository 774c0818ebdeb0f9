/** `GET /v1/status`, for admins: asks for permission first, then tells what is left of the budgets. */
import type { Caller } from "../ports/registry.ts";
import type { ServiceStatus } from "../schema/status.ts";
import { negotiate } from "./negotiation.ts";

export interface StatusSource {
  /** Throws unless the caller is an admin. */
  admit(caller: Caller): void;
  read(): Promise<ServiceStatus>;
}

export const STATUS_PATH = "/v1/status";

export async function serveStatus(source: StatusSource, request: Request, caller: Caller): Promise<Response> {
  source.admit(caller);
  negotiate(request.headers.get("accept"), ["application/json"]);
  return Response.json(await source.read());
}
