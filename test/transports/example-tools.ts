/** Small tools that the transport tests call: one that answers, one that fails, one with a verdict. No upstream. */
import * as z from "zod";
import { GitpinError } from "../../src/errors.ts";
import { READ_ONLY, type Tool } from "../../src/tools/tool.ts";

const echoInput = z.object({
  text: z.string().min(1).max(100).describe("Comes back; see pin_fail for an error."),
  times: z.number().int().min(1).max(3).optional(),
  loud: z.boolean().optional(),
});
const echoOutput = z.object({
  kind: z.literal("echo"),
  text: z.string(),
  next: z.object({ tool: z.string() }),
});

export const echoTool: Tool<typeof echoInput, typeof echoOutput> = {
  name: "pin.echo",
  title: "Echo",
  description: "Says the text again. Siblings: pin_fail, pin_echo_all (which does not exist).",
  annotations: READ_ONLY,
  input: echoInput,
  output: echoOutput,
  route: { path: "/v1/echo", methods: ["GET", "POST"] },
  run: async ({ text, times = 1, loud = false }, call) => {
    call.ledger.upstreamRequests += times;
    const said = Array(times).fill(text).join(" ");
    return {
      kind: "echo",
      text: loud ? said.toUpperCase() : said,
      next: { tool: call.spelling === "dotted" ? "pin.fail" : "pin_fail" },
    };
  },
  httpStatus: () => 200,
  text: (result) => result.text,
};

const failInput = z.object({ how: z.enum(["limit", "thrown", "shape"]) });
const failOutput = z.object({ fine: z.boolean() });

export const failTool: Tool<typeof failInput, typeof failOutput> = {
  name: "pin.fail",
  title: "Fail",
  description: "Fails as asked.",
  annotations: READ_ONLY,
  input: failInput,
  output: failOutput,
  route: { path: "/v1/fail", methods: ["GET"] },
  run: async ({ how }) => {
    if (how === "thrown") throw new Error("private content");
    // The tool breaks its own schema on purpose.
    if (how === "shape") return { fine: "private content" } as unknown as { fine: boolean };
    throw new GitpinError(
      "upstream_rate_limited",
      "GitHub's limit is used up.",
      "Wait, then call pin_echo.",
      {
        retryAfterSeconds: 1.2,
      },
    );
  },
  httpStatus: () => 200,
  text: () => "",
};

const judgeInput = z.object({ path: z.string().min(1), line: z.number().int().optional() });
const judgeRest = z.object({
  path: z.string().min(1).optional(),
  line: z.number().int().optional(),
  cite: z.string().optional(),
});
const judgeOutput = z.object({
  status: z.enum(["ok", "missing"]),
  path: z.string(),
  line: z.number().nullable(),
});

/** Answers 404 with a report, and takes `cite=path:line` over REST. */
export const judgeTool: Tool<typeof judgeInput, typeof judgeOutput> = {
  name: "pin.judge",
  title: "Judge",
  description: "Says whether the path is README.md.",
  annotations: READ_ONLY,
  input: judgeInput,
  output: judgeOutput,
  route: { path: "/v1/judge", methods: ["GET", "POST"] },
  rest: {
    input: judgeRest,
    toInput: (rest) => {
      const { cite, ...parts } = judgeRest.parse(rest);
      if (cite === undefined) return { ...parts, path: parts.path ?? "" };
      const [path = "", line] = cite.split(":");
      return { path, ...(line === undefined ? {} : { line: Number(line) }) };
    },
  },
  run: async ({ path, line }) => ({
    status: path === "README.md" ? "ok" : "missing",
    path,
    line: line ?? null,
  }),
  httpStatus: ({ status }) => (status === "ok" ? 200 : 404),
  text: ({ status }) => status,
};

export const exampleTools: readonly Tool[] = [echoTool, failTool, judgeTool];
