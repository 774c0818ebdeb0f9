/** What a page shows is what `gitpin init` writes: for every client, with and without a token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../cli/edit/configured.ts";
import type { Target } from "./client.ts";
import { CLIENTS } from "./index.ts";
import { snippet } from "./snippet.ts";

const target = (token: boolean): Target => ({
  url: "https://gitpin.example/mcp?names=underscore",
  dottedUrl: "https://gitpin.example/mcp",
  token,
  loopback: false,
});

for (const { id, configuration } of CLIENTS) {
  for (const token of [false, true]) {
    test(`${id}${token ? " with a token" : ""}`, () => {
      const form = configuration(target(token), "linux");
      if (form === null) {
        assert.equal(id, "claude-ai", "only claude.ai has no file");
        return;
      }
      assert.equal(snippet(form), configured(null, form, "the file"));
      assert.match(snippet(form), /gitpin\.example\/mcp\?names=underscore/);
    });
  }
}
