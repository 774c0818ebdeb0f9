/**
 * The form of a tool: one definition that MCP, REST, OpenAPI and the command line are made from.
 * A tool holds words and schemas; its `run` hands over to the service. Transports hold no logic of their own.
 */
import type * as z from "zod";
import type { Call } from "../ports/call.ts";
import type { Scope } from "../schema/teams.ts";

export type { Call, Spelling } from "../ports/call.ts";

/** A GET route answers query parameters, a POST route the same fields as a JSON body. */
export interface Route {
  path: `/v1/${string}`;
  methods: readonly ("GET" | "POST")[];
}

/** Further ways in over REST only, beside the fields of `input` (a citation instead of its parts, say). */
export interface RestForm<I extends z.ZodObject, R extends z.ZodObject = z.ZodObject> {
  /** What REST accepts instead of `input`; it must hold every field of `input` that REST callers may send. */
  input: R;
  /** The tool's own arguments. Throws `GitpinError` where they do not follow; the outcome is checked again. */
  toInput(rest: z.infer<R>): z.input<I>;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  /** Dotted name, e.g. `pin.prove`. */
  name: string;
  title: string;
  /** Written with underscore names (`pin_verify`); the MCP transport re-spells them for dotted listings. */
  description: string;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** Callers without this scope neither see the tool nor can call it; left out: whoever may read. */
  scope?: Scope;
  /** Most bytes of a call's JSON, where it takes larger ones than other tools do. */
  bodyBytes?: number;
  input: I;
  output: O;
  route: Route;
  rest?: RestForm<I>;
  run(input: z.infer<I>, call: Call): Promise<z.infer<O>>;
  /**
   * Whether this result was asked for by full SHA and so is the same for ever, but for who may see it. Never, where left out.
   * Together with `Call.opened` it decides what others may cache.
   */
  pinned?(input: z.infer<I>, result: z.infer<O>): boolean;
  /** HTTP status of a result: `curl -f` is a gate. */
  httpStatus(result: z.infer<O>): 200 | 403 | 404 | 409 | 422;
  /** One line (or few) that a person can read, for `Accept: text/plain` and the command line. */
  text(result: z.infer<O>): string;
}

export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const;
