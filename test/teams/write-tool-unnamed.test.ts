/**
 * The name and the address of the write tool, in everything that a caller can fetch: nowhere for who lacks the scope, whole documents,
 * schemas, errors and answers alike; and in all the places that lead to it for who has it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENTS, type Session } from "../mcp-sessions.ts";
import { startTwoTeams, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let reader: string;
let writer: string;

before(async () => {
  teams = await startTwoTeams({ entities: true, writes: true });
  reader = (await teams.token("blue", ["pin:read"])).token;
  writer = (await teams.token("blue", ["pin:read", "kin:write"])).token;
});

after(() => teams?.close());

/** The tool under each spelling that was ever thought of, and its route. */
const NAMED = /kin[_.]mutate|\/kin\/mutate/i;

const FORMS = ["application/json", "text/plain", "text/html", "text/markdown"];

/** Beside what the OpenAPI document lists: documents, addresses that are none, and the write tool's own. */
const ADDRESSES = [
  "/",
  "/docs",
  "/llms.txt",
  "/robots.txt",
  "/openapi.json",
  "/.well-known/mcp/catalog.json",
  "/mcp/server-card",
  "/nothing",
  "/v1",
  "/v1/",
  "/v1/kin",
  "/v1/kin/",
  "/v1/kin/nothing",
  "/v1/kin/mutate",
  "/v1/kin/mutate/",
];

const ENTITY = { entity_id: "told", path: "secret.py" };

/** The reads that come before an edit, each as it is answered well and as it goes wrong. */
const READS: [tool: string, path: string, given: Record<string, unknown>][] = [
  ["kin_status", "/v1/kin/status", {}],
  ["kin_status", "/v1/kin/status", { branch: "nowhere" }],
  ["kin_find_entities", "/v1/kin/entities", {}],
  ["kin_find_entities", "/v1/kin/entities", { query: "nothing" }],
  ["kin_find_entities", "/v1/kin/entities", { cursor: "forged" }],
  ["get_entity_source", "/v1/kin/source", ENTITY],
  ["get_entity_source", "/v1/kin/source", { ...ENTITY, path: ".env" }],
  ["get_entity_source", "/v1/kin/source", { ...ENTITY, entity_id: "untold" }],
  ["get_entity_source", "/v1/kin/source", { unknown: "argument" }],
];

interface Document {
  from: string;
  text: string;
}

interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
}

async function overHttp(token: string | null, repository: string): Promise<Document[]> {
  const { paths } = (await teams.ask<OpenApi>("/openapi.json", { token })).body;
  const documents: Document[] = [];
  const ask = async (path: string, given: Parameters<TwoTeams["ask"]>[1]) => {
    const { text, headers } = await teams.ask(path, { ...given, token });
    documents.push({
      from: `${given?.method ?? "-"} ${path} ${JSON.stringify(given)}`,
      text: `${JSON.stringify([...headers])}\n${text}`,
    });
  };
  for (const path of new Set([...Object.keys(paths), ...ADDRESSES])) {
    for (const accept of FORMS) await ask(path, { headers: { accept } });
    // Without arguments, as with a method that is not taken, what comes back says what would have been right.
    for (const method of ["PUT", "OPTIONS"]) await ask(path, { method });
    await ask(path, { body: {} });
  }
  for (const [, path, given] of READS) {
    for (const accept of FORMS) await ask(path, { body: { repository, ...given }, headers: { accept } });
  }
  return documents;
}

async function overMcp(
  connect: (typeof CLIENTS)[string],
  address: string,
  token: string | null,
  repository: string,
): Promise<Document[]> {
  const session = await connect(`${teams.worker.url}${address}`, token);
  const { client, instructions } = session;
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  const said: [string, unknown][] = [
    ["instructions", instructions],
    ["tools/list", await client.listTools()],
    ["resources/list", resources],
    ["prompts/list", prompts],
    ...(await Promise.all(
      resources.map(async ({ uri }): Promise<[string, unknown]> => [uri, await client.readResource({ uri })]),
    )),
    ...(await Promise.all(
      prompts.map(async ({ name }): Promise<[string, unknown]> => [name, await client.getPrompt({ name })]),
    )),
    ["unknown prompt", await thrownBy(client.getPrompt({ name: "none" }))],
    ["unknown resource", await thrownBy(client.readResource({ uri: "gitpin://none" }))],
    ["unknown tool", await thrownBy(session.call("kin_nothing", {}))],
    ...(await answers(session, repository)),
  ];
  await client.close();
  assert.ok(resources.length > 0 && prompts.length > 0);
  return said.map(([from, what]) => ({ from: `${address} ${from}`, text: JSON.stringify(what) ?? "" }));
}

const thrownBy = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => [String(error), error],
  );

async function answers(session: Session, repository: string): Promise<[string, unknown][]> {
  const said: [string, unknown][] = [];
  for (const [tool, , given] of READS) {
    said.push([
      `${tool} ${JSON.stringify(given)}`,
      await session.call(tool, { repository, ...given }).catch((error: unknown) => [String(error), error]),
    ]);
  }
  return said;
}

const namedIn = (documents: readonly Document[]): string[] =>
  documents.filter(({ text }) => NAMED.test(text)).map(({ from }) => from);

for (const [who, tokenOf, repository] of [
  ["a caller without a credential", () => null, "open"],
  ["a caller who may read", () => reader, "engine"],
] as const) {
  test(`over HTTP nothing names the write tool to ${who}`, async () => {
    const documents = await overHttp(tokenOf(), repository);
    assert.deepEqual(namedIn(documents), []);
    // It was the real thing that was looked through.
    const whole = documents.map(({ text }) => text).join("\n");
    for (const word of [
      "source_base",
      "def told()",
      "route_unknown",
      "method_not_allowed",
      "invalid_argument",
    ])
      assert.ok(whole.includes(word), word);
  });

  for (const [name, connect] of Object.entries(CLIENTS)) {
    test(`${name}: nothing names the write tool to ${who}`, async () => {
      for (const address of ["/mcp", "/mcp?names=underscore"]) {
        const documents = await overMcp(connect, address, tokenOf(), repository);
        assert.deepEqual(namedIn(documents), []);
        assert.ok(documents.some(({ text }) => text.includes("def told()")));
      }
    });
  }
}

test("who may write is led to it: in every list of what there is, and by the source that was read", async () => {
  for (const path of ["/", "/docs", "/llms.txt", "/openapi.json"]) {
    assert.match((await teams.ask(path, { token: writer })).text, NAMED, path);
  }
  const { body } = await teams.ask<{ next: { tool: string } }>("/v1/kin/source", {
    token: writer,
    body: { repository: "engine", ...ENTITY },
  });
  assert.equal(body.next.tool, "kin_mutate");
  for (const [name, connect] of Object.entries(CLIENTS)) {
    const named = namedIn(await overMcp(connect, "/mcp", writer, "engine"));
    assert.deepEqual(
      named,
      ["/mcp tools/list", "/mcp unknown tool", `/mcp get_entity_source ${JSON.stringify(ENTITY)}`],
      name,
    );
  }
});
