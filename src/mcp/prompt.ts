/** The form of a prompt: words, string arguments, and the text made from them. */
import type * as z from "zod";

/** How a tool is called at this address, or null when it is not there. Takes the dotted name. */
export type NameOf = (tool: string) => string | null;

export interface Prompt<A extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  /** Strings only: MCP knows no other prompt arguments. */
  arguments: A;
  text(given: z.infer<A>, nameOf: NameOf): string;
}
