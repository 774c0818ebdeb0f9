/** What one call carries besides its arguments: who asks, what it costs, and how names are spelled back. */
import type { Background } from "./background.ts";
import type { StreamProgress } from "./commit-files.ts";
import type { Ledger } from "./ledger.ts";
import type { Caller } from "./registry.ts";

/** How tool names are spelled for this caller: `pin.prove` or `pin_prove`. Both are always callable. */
export type Spelling = "dotted" | "underscore";

export interface Call {
  caller: Caller;
  spelling: Spelling;
  ledger: Ledger;
  background: Background;
  /** `traceparent` for requests to the host's API made for this call; none without a trace. */
  traceparent?: string | undefined;
  /** Aborts when the caller has left, where the transport can tell. */
  signal?: AbortSignal | undefined;
  /** Told while an archive streams, where the caller wants to know. */
  progress?: StreamProgress | undefined;
  /** Told of every repository that is opened for this call: whether everybody may see it, as known when it is read. */
  opened?: ((repository: { readonly public: boolean }) => void) | undefined;
}
