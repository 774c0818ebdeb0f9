/** The product with one tool more, which does nothing: what a call costs before any evidence is looked at. For `npm run bench`. */
import { env } from "cloudflare:workers";
import * as z from "zod";
import { assemble } from "../src/assemble/assemble.ts";
import type { Bindings } from "../src/assemble/bindings.ts";
import { readConfig } from "../src/config.ts";
import { envelopeOf } from "../src/core/evidence/envelope.ts";
import { READ_ONLY, type Tool } from "../src/tools/tool.ts";

const output = z.object({ product: z.literal("gitpin"), contract: z.string(), kind: z.literal("empty") });

const emptyTool: Tool<z.ZodObject, typeof output> = {
  name: "pin.empty",
  title: "Empty",
  description: "Does nothing.",
  annotations: READ_ONLY,
  input: z.object({}),
  output,
  route: { path: "/v1/empty", methods: ["GET"] },
  run: async () => envelopeOf("empty"),
  httpStatus: () => 200,
  text: () => "",
};

const app = assemble(readConfig({ ...env }), env as Bindings, [emptyTool]);

export default {
  fetch: (request, environment, context) => app.fetch(request, environment, context),
} satisfies ExportedHandler;
