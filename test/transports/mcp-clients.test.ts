/**
 * The official clients of both eras against the example tools in workerd: lists, calls, errors, resource and prompt,
 * with both spellings at both addresses.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CLIENTS, type Content, textOf } from "../mcp-sessions.ts";
import { type RunningWorker, startWorker } from "../running-worker.ts";

let worker: RunningWorker;

before(async () => {
  worker = await startWorker({ entry: "test/transports/example-worker.ts" });
});

after(() => worker.close());

const errorOf = (result: Content) => {
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent, undefined);
  return JSON.parse(textOf(result)).error;
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(name, () => {
    for (const [address, listed, other] of [
      ["/mcp", ["pin.echo", "pin.fail", "pin.judge"], "pin_echo"],
      ["/mcp?names=underscore", ["pin_echo", "pin_fail", "pin_judge"], "pin.echo"],
    ] as const) {
      test(`${address}: lists, calls, reads and prompts`, async () => {
        const session = await connect(`${worker.url}${address}`);
        const { tools } = await session.client.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          listed,
        );
        const [echo] = listed;
        const fail = listed[1];
        assert.equal(
          tools[0]?.description,
          `Says the text again. Siblings: ${fail}, pin_echo_all (which does not exist).`,
        );
        assert.deepEqual(tools[0]?.inputSchema, {
          type: "object",
          properties: {
            text: {
              type: "string",
              minLength: 1,
              maxLength: 100,
              description: `Comes back; see ${fail} for an error.`,
            },
            times: { type: "integer", minimum: 1, maximum: 3 },
            loud: { type: "boolean" },
          },
          required: ["text"],
          additionalProperties: false,
        });

        const result = await session.call(echo, { text: "a", times: 2 });
        assert.deepEqual(result.structuredContent, { kind: "echo", text: "a a", next: { tool: fail } });
        assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
        const otherwise = await session.call(other, { text: "a" });
        assert.deepEqual((otherwise.structuredContent as { next: unknown }).next, {
          tool: other.includes(".") ? "pin.fail" : "pin_fail",
        });

        const { resources } = await session.client.listResources();
        assert.equal(resources[0]?.uri, "gitpin://catalog");
        assert.equal(resources[0]?.description, `See ${echo}.`);
        const read = await session.client.readResource({ uri: "gitpin://catalog" });
        assert.deepEqual(JSON.parse((read.contents[0] as { text: string }).text), {
          spelling: echo.includes(".") ? "dotted" : "underscore",
        });

        const { prompts } = await session.client.listPrompts();
        assert.deepEqual(
          prompts[0]?.arguments?.map((argument) => [argument.name, argument.required]),
          [
            ["question", false],
            ["repository", false],
          ],
        );
        const prompt = await session.client.getPrompt({
          name: "prove-with-git-head",
          arguments: { question: "Why?", repository: "docs" },
        });
        const said = prompt.messages[0]?.content as { text: string };
        assert.match(said.text, /The question:\nWhy\?/);
        assert.match(said.text, /use only "docs"/);
        assert.match(session.instructions ?? "", /^Evidence from hosted git/);
        await session.client.close();
      });
    }

    test("wrong arguments are tool errors that name the field and the next step", async () => {
      const session = await connect(`${worker.url}/mcp?names=underscore`);
      const unknown = errorOf(await session.call("pin_echo", { text: "a", line: 3 }));
      assert.equal(unknown.code, "invalid_argument");
      assert.equal(unknown.data.field, "line");
      assert.deepEqual(unknown.data.known, ["text", "times", "loud"]);
      assert.match(unknown.nextStep, /Known arguments: text, times, loud/);
      assert.equal(errorOf(await session.call("pin_echo", {})).data.field, "text");
      assert.equal(errorOf(await session.call("pin_echo", { text: "a", times: "2" })).data.field, "times");
      assert.equal(errorOf(await session.call("pin_echo", { text: "a", times: 4 })).data.field, "times");
      await session.client.close();
    });

    test("an error's next step is spelled as the call was", async () => {
      const session = await connect(`${worker.url}/mcp`);
      const dotted = errorOf(await session.call("pin.fail", { how: "limit" }));
      assert.equal(dotted.code, "upstream_rate_limited");
      assert.equal(dotted.nextStep, "Wait, then call pin.echo.");
      assert.equal(
        errorOf(await session.call("pin_fail", { how: "limit" })).nextStep,
        "Wait, then call pin_echo.",
      );
      await session.client.close();
    });

    test("a fault of ours keeps its text to itself", async () => {
      const session = await connect(`${worker.url}/mcp`);
      for (const how of ["thrown", "shape"]) {
        const result = await session.call("pin.fail", { how });
        assert.equal(errorOf(result).code, "internal");
        assert.doesNotMatch(textOf(result), /private/);
      }
      await session.client.close();
    });

    test("an unknown tool, resource or prompt is a protocol error", async () => {
      const session = await connect(`${worker.url}/mcp`);
      await assert.rejects(session.call("pin.nothing", {}), (error: Error & { code?: number }) => {
        assert.equal(error.code, -32602);
        assert.match(
          error.message,
          /Unknown tool: pin\.nothing\. Tools here: pin\.echo, pin\.fail, pin\.judge/,
        );
        return true;
      });
      await assert.rejects(session.client.readResource({ uri: "gitpin://nothing" }));
      await assert.rejects(session.client.getPrompt({ name: "nothing" }), /no prompt of that name/);
      await assert.rejects(
        session.client.getPrompt({
          name: "prove-with-git-head",
          arguments: { question: "x".repeat(2001) },
        }),
        /question/,
      );
      await session.client.close();
    });
  });
}
