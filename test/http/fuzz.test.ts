/**
 * Arguments made from the tools' own schemas, right and wrong, by query and by body: none of them is answered with a fault of
 * ours (500), each answer is as the OpenAPI document describes it. Seeded, so that a fault comes again.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { type JsonObject, jsonSchema } from "../../src/tools/json-schema.ts";
import { everyTool } from "../tools/every-tool.ts";
import { type Judge, judge, type OpenApi } from "./openapi.ts";
import { type Service, startService } from "./service.ts";

const SEED = 20_261_130;
/** Of each tool and way in. */
const RUNS = 40;

let service: Service;
let judged: Judge;
before(async () => {
  service = await startService({
    file: true,
    entities: true,
    vars: { HEAD_MAX_AGE: "300", ANONYMOUS_ACCESS: "all", ANONYMOUS_WRITES: "1" },
  });
  judged = judge((await (await service.ask("/openapi.json")).json()) as OpenApi);
});
after(() => service.close());

const EXAMPLE_VALUES: Record<string, () => fc.Arbitrary<unknown>> = {
  repository: () => fc.constantFrom("example", "example", "closed", "nothing"),
  sourcePath: () => path(),
  path: () => fc.oneof({ arbitrary: path(), weight: 3 }, fc.constantFrom("*.ts", "src/", "{", "!x", "[a-")),
  query: () =>
    fc.oneof(fc.constantFrom("greet", "GREET", "a", "as", "<", "name: string"), fc.string({ maxLength: 8 })),
  entity_id: () => fc.constantFrom("greet", "Greet", "00000000-0000-5000-8000-000000000000", "<a as b>.c"),
  branch: () => fc.constantFrom("main", "refs/heads/main", "none"),
  sha: () => sha(),
  base: () => sha(),
  head: () => sha(),
  ref: () => fc.constantFrom("refs/heads/main", "main", "HEAD", "refs/heads/none"),
  cite: () => sha().map((id) => `example/README.md:1-3 @ ${id}`),
  handle: () => sha().map((id) => `gitpin:example@${id}:src/greet.ts:2`),
  absence: () => sha().map((id) => `gitpin-absence:example@${id}?q=nowhere`),
};
const path = () =>
  fc.constantFrom("README.md", "src/greet.ts", "src", "", ".env", "docs/none.md", "a//b", "../x");
const sha = () =>
  fc.constantFrom(
    service.example.first,
    service.example.head,
    service.example.first.slice(0, 9),
    "f".repeat(40),
    "0".repeat(7),
  );

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    "",
    " ",
    "\0",
    "\ud800",
    "null",
    "%00",
    "a".repeat(5000),
    [],
    {},
    [[]],
    { a: 1 },
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that a schema allows, at its bounds too. Enough of JSON Schema for our inputs; anything else throws. */
function valid(schema: JsonObject, name = ""): fc.Arbitrary<unknown> {
  const own = EXAMPLE_VALUES[name];
  if (own !== undefined)
    return fc.oneof({ arbitrary: own(), weight: 4 }, { arbitrary: fromType(schema), weight: 1 });
  return fromType(schema);
}

function fromType(schema: JsonObject): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.anyOf))
    return fc.oneof(...(schema.anyOf as JsonObject[]).map((one) => fromType(one)));
  const bound = (key: string, otherwise: number) =>
    typeof schema[key] === "number" ? (schema[key] as number) : otherwise;
  switch (schema.type) {
    case "string":
      return typeof schema.pattern === "string"
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({
            unit: "grapheme",
            minLength: bound("minLength", 0),
            maxLength: Math.min(60, bound("maxLength", 60)),
          });
    case "integer":
    case "number": {
      const [min, max] = [bound("minimum", -1000), bound("maximum", 1000)];
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 50) }));
    }
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valid(schema.items as JsonObject), {
        minLength: bound("minItems", 0),
        maxLength: Math.min(3, bound("maxItems", 3)),
      });
    case "object": {
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, JsonObject>;
        required?: string[];
      };
      const fields = Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, valid(value, key)]),
      );
      return fc.record(fields, { requiredKeys: required });
    }
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

/** A right one with one or two fields made wrong, taken away or added. */
const spoiled = (schema: JsonObject): fc.Arbitrary<unknown> => {
  const keys = Object.keys((schema.properties ?? {}) as object);
  const change = fc.tuple(fc.constantFrom(...keys, "nonsense", "__proto__", "constructor"), fc.option(junk));
  return fc.tuple(valid(schema), fc.array(change, { minLength: 1, maxLength: 2 })).map(([value, changes]) => {
    const out: Record<string, unknown> = { ...(value as object) };
    for (const [key, other] of changes) {
      if (other === null) delete out[key];
      else
        Object.defineProperty(out, key, {
          value: other,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
    return out;
  });
};

async function assertAnswered(operationId: string, said: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const text = await response.text();
  assert.notEqual(status, 500, `${said}: ${text}`);
  // The document says nothing of a refusal at the door of this runtime itself.
  assert.deepEqual(
    judged.violations(operationId, { status, headers, text }),
    [],
    `${said}: ${status} ${text.slice(0, 300)}`,
  );
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function queryOf(input: Record<string, unknown>): string {
  return Object.entries(input)
    .flatMap(([key, value]) =>
      [value]
        .flat()
        .map(
          (one) => `${encode(key)}=${encode(typeof one === "string" ? one : (JSON.stringify(one) ?? ""))}`,
        ),
    )
    .join("&");
}

for (const tool of everyTool()) {
  const schema = jsonSchema(tool.rest?.input ?? tool.input, "input");
  const base = tool.name.replaceAll(".", "_");
  for (const [kind, inputs] of [
    ["right", () => valid(schema)],
    ["wrong", () => fc.oneof({ arbitrary: spoiled(schema), weight: 5 }, { arbitrary: junk, weight: 1 })],
  ] as const) {
    test(`${tool.name}: ${kind} arguments`, async () => {
      await fc.assert(
        fc.asyncProperty(inputs(), async (input) => {
          const body = JSON.stringify(input) ?? "";
          const posted = await service.ask(tool.route.path, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body,
          });
          await assertAnswered(`${base}_post`, `POST ${body}`, posted);
          if (!tool.route.methods.includes("GET") || typeof input !== "object" || input === null) return;
          const query = queryOf(input as Record<string, unknown>);
          // A longer address is the server's in front to refuse.
          if (query.length > 7000) return;
          await assertAnswered(
            `${base}_get`,
            `GET ${query}`,
            await service.ask(`${tool.route.path}?${query}`),
          );
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
    });
  }
}

test("addresses of citations: any text at all", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    sha().chain((id) => fc.string({ maxLength: 20 }).map((rest) => `gitpin:example@${id}:${rest}`)),
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom("", ".svg", ".json", "?format=txt", "?format=x", "?x"),
      async (handle, more) => {
        const response = await service.ask(`/c/${encode(handle)}${more}`);
        await assertAnswered("citation_get", `${handle}${more}`, response);
      },
    ),
    { seed: SEED, numRuns: 80, endOnFailure: true },
  );
});

test("notes: any text at all", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    sha().map((id) => `example/README.md:1 @ ${id}`),
    sha().map((id) => `gitpin:example@${id}:src/greet.ts:9`),
    fc.constantFrom(" @ ", "gitpin:", "`", "\n> ", "@", "%"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const response = await service.ask("/v1/verify-cites", {
        method: "POST",
        body: pieces.join(" ").toWellFormed(),
      });
      await assertAnswered("verify_cites_post", JSON.stringify(pieces), response);
    }),
    { seed: SEED, numRuns: 40, endOnFailure: true },
  );
});
