/** One visit of an MCP client: the opened call, how names are spelled at the URL it came to, and its exchange. */
import type { Exchange, OpenedCall } from "../http/exchange.ts";
import type { Spelling } from "../ports/call.ts";

export interface Visit {
  call: OpenedCall;
  /** The spelling that listings at this URL use. */
  spelling: Spelling;
  exchange: Exchange;
}
