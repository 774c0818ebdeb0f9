// Extracts the response schemas of the routes we use or imitate from GitHub's OpenAPI description (OpenAPI 3.0) and
// writes them as JSON Schema (draft 2020-12 keywords only: `nullable` becomes a null type) for `test/github-openapi`.
// The description is in the npm package `@octokit/openapi` (too big to depend on). Usage:
//   node scripts/github-openapi-excerpt.ts …/generated/api.github.com.json > test/github-openapi/excerpt.json
import { readFileSync } from "node:fs";

const GIT = "/repos/{owner}/{repo}";
const OPERATIONS = [
  "get /rate_limit",
  "get /search/code",
  "post /app/installations/{installation_id}/access_tokens",
  `get ${GIT}`,
  `get ${GIT}/branches`,
  `get ${GIT}/branches/{branch}`,
  `get ${GIT}/commits`,
  `get ${GIT}/commits/{commit_sha}/branches-where-head`,
  `get ${GIT}/commits/{ref}`,
  `get ${GIT}/compare/{basehead}`,
  `get ${GIT}/contents/{path}`,
  `put ${GIT}/contents/{path}`,
  `delete ${GIT}/contents/{path}`,
  `post ${GIT}/git/blobs`,
  `get ${GIT}/git/blobs/{file_sha}`,
  `post ${GIT}/git/commits`,
  `get ${GIT}/git/commits/{commit_sha}`,
  `get ${GIT}/git/matching-refs/{ref}`,
  `get ${GIT}/git/ref/{ref}`,
  `post ${GIT}/git/refs`,
  `patch ${GIT}/git/refs/{ref}`,
  `delete ${GIT}/git/refs/{ref}`,
  `get ${GIT}/git/tags/{tag_sha}`,
  `post ${GIT}/git/trees`,
  `get ${GIT}/git/trees/{tree_sha}`,
  `get ${GIT}/pulls`,
  `post ${GIT}/pulls`,
  `get ${GIT}/pulls/{pull_number}`,
  `get ${GIT}/tags`,
  `get ${GIT}/tarball/{ref}`,
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Obj = { [key: string]: Json };

const isObject = (value: Json | undefined): value is Obj =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function at(value: Json, ...keys: string[]): Json {
  const found = keys.reduce<Json | undefined>(
    (inner, key) => (isObject(inner) ? inner[key] : undefined),
    value,
  );
  if (found === undefined) throw new Error(`the description has no ${keys.join(" / ")}`);
  return found;
}

const KEPT = [
  "type",
  "format",
  "enum",
  "required",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
];

/** One schema as JSON Schema; tells `refer` of every schema it refers to. Prose and examples are left out. */
function toJsonSchema(schema: Json, refer: (name: string) => void): Json {
  if (!isObject(schema)) return schema;
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) ?? "";
    refer(name);
    return { $ref: `#/$defs/${name}` };
  }
  const out: Obj = {};
  for (const key of KEPT) if (schema[key] !== undefined) out[key] = schema[key];
  if (isObject(schema.properties)) {
    const entries = Object.entries(schema.properties).map(([name, inner]) => [
      name,
      toJsonSchema(inner, refer),
    ]);
    out.properties = Object.fromEntries(entries);
  }
  for (const key of ["items", "additionalProperties"]) {
    if (schema[key] !== undefined) out[key] = toJsonSchema(schema[key], refer);
  }
  for (const key of ["oneOf", "anyOf", "allOf"]) {
    const options = schema[key];
    if (Array.isArray(options)) out[key] = options.map((inner) => toJsonSchema(inner, refer));
  }
  return schema.nullable === true ? { anyOf: [out, { type: "null" }] } : out;
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("usage: github-openapi-excerpt.ts DESCRIPTION.json");
const description = JSON.parse(readFileSync(path, "utf8")) as Json;

const wanted: string[] = [];
const refer = (name: string): void => {
  if (!wanted.includes(name)) wanted.push(name);
};

function responseSchemas(operation: string): Obj {
  const [method = "", route = ""] = operation.split(" ");
  const statuses: Obj = {};
  for (const [status, response] of Object.entries(
    at(description, "paths", route, method, "responses") as Obj,
  )) {
    const reference = isObject(response) ? response.$ref : undefined;
    const name = typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : null;
    const whole = name === null ? response : at(description, "components", "responses", name);
    const content = isObject(whole) && isObject(whole.content) ? whole.content : {};
    const schemas = Object.entries(content).map(([type, media]) => [
      type,
      toJsonSchema(at(media, "schema"), refer),
    ]);
    statuses[status] = Object.fromEntries(schemas);
  }
  return statuses;
}

const operations = Object.fromEntries(
  OPERATIONS.map((operation) => [
    operation.replace(/^\w+/, (method) => method.toUpperCase()),
    responseSchemas(operation),
  ]),
);
const definitions: Obj = {};
// `wanted` grows while it is walked: a schema may refer to further ones.
for (const name of wanted)
  definitions[name] = toJsonSchema(at(description, "components", "schemas", name), refer);

const excerpt = { description: at(description, "info", "version"), operations, $defs: definitions };
process.stdout.write(`${JSON.stringify(excerpt)}\n`);
