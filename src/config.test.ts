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

test("calls without a token may write only where this machine alone reaches the service and sees all of it", () => {
  const local = { PUBLIC_URL: "http://127.0.0.1:8787", ANONYMOUS_ACCESS: "all" };
  assert.equal(readConfig(local).anonymousWrites, false);
  assert.equal(readConfig({ ...local, ANONYMOUS_WRITES: "0" }).anonymousWrites, false);
  assert.equal(readConfig({ ...local, ANONYMOUS_WRITES: "1" }).anonymousWrites, true);
  for (const wrong of [
    { PUBLIC_URL: "https://e.example", ANONYMOUS_WRITES: "1" },
    { PUBLIC_URL: "https://e.example", ANONYMOUS_ACCESS: "none", ANONYMOUS_WRITES: "1" },
    { ...local, ANONYMOUS_ACCESS: "public", ANONYMOUS_WRITES: "1" },
    { ...local, ANONYMOUS_WRITES: "true" },
    { ...local, ANONYMOUS_WRITES: "" },
  ]) {
    assert.throws(
      () => readConfig(wrong),
      (error) => error instanceof GitpinError && error.data.field === "ANONYMOUS_WRITES",
      JSON.stringify(wrong),
    );
  }
});
