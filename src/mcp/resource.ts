/** The form of a resource: words, and a read that gives the whole text. Resources are listed, never templated. */
import type { Call } from "../ports/call.ts";

export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Throws `GitpinError` when it cannot be read. */
  read(call: Call): Promise<string>;
}
