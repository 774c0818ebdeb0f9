import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { GitpinError } from "./errors.ts";

test("defaults: github.com, public repositories only, HEAD for 300 s without a token and 15 s with one", () => {
  const config = readConfig({ PUBLIC_URL: "https://evidence.example/" });
  assert.equal(config.apiUrl, "https://api.github.com");
  assert.equal(config.webUrl, "https://github.com");
  assert.equal(config.publicUrl, "https://evidence.example");
  assert.deepEqual(config.hosts, ["evidence.example"]);
  assert.equal(config.anonymous, "public");
  assert.equal(config.headMaxAgeSeconds, 300);
  assert.equal(readConfig({ PUBLIC_URL: "https://e.example", GITHUB_TOKEN: "t" }).headMaxAgeSeconds, 15);
  assert.equal(
    readConfig({ PUBLIC_URL: "https://e.example", GITHUB_API_URL: "https://ghe.example/api/v3/" }).webUrl,
    "https://ghe.example",
  );
});

test("a bad value names the variable and never shows it", () => {
  const bad = {
    PUBLIC_URL: "ftp://x",
    HEAD_MAX_AGE: "soon",
    GITHUB_TOKEN: "",
    UPSTREAM_TIMEOUT_MS: "secret-1",
  };
  assert.throws(
    () => readConfig(bad),
    (error) =>
      error instanceof GitpinError &&
      ["PUBLIC_URL", "HEAD_MAX_AGE", "GITHUB_TOKEN", "UPSTREAM_TIMEOUT_MS"].every((name) =>
        error.message.includes(name),
      ) &&
      !error.message.includes("secret-1"),
  );
});
