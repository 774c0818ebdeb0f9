/** `npm start` as a service: which settings reach the Worker, and what is refused before anything starts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { readServiceOptions, SETTINGS } from "./service-options.ts";

const read = (environment: Record<string, string>, ...args: string[]) =>
  readServiceOptions(args, environment, "/srv/gitpin");

const fault = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    assert.ok(thrown instanceof GitpinError, String(thrown));
    return thrown.message;
  }
  return assert.fail("nothing was thrown");
};

test("every setting of the service may be given", () => {
  const source = readFileSync(join(import.meta.dirname, "../config.ts"), "utf8");
  assert.deepEqual(
    [...source.matchAll(/^ {4}([A-Z][A-Z_]+): /gm)].map(([, name]) => name),
    [...SETTINGS],
  );
});

test("without PUBLIC_URL it is no service", () => {
  assert.equal(read({ GITHUB_TOKEN: "t" }), null);
  assert.equal(read({ PUBLIC_URL: "" }), null);
});

test("settings reach the Worker under their names; empty ones and all else do not", () => {
  const environment = {
    PUBLIC_URL: "https://gitpin.acme.dev",
    ALLOWED_HOSTS: "gitpin",
    ANONYMOUS_ACCESS: "none",
    GITHUB_TOKEN: "",
    HOME: "/root",
    AWS_SECRET_ACCESS_KEY: "x",
  };
  assert.deepEqual(read(environment, "--port", "9000"), {
    port: 9000,
    stateFolder: "/srv/gitpin/.state",
    publicUrl: "https://gitpin.acme.dev",
    vars: {
      PUBLIC_URL: "https://gitpin.acme.dev",
      ALLOWED_HOSTS: "gitpin 127.0.0.1 localhost",
      ANONYMOUS_ACCESS: "none",
    },
  });
});

test("a bad setting is named, and its value is not", () => {
  const message = fault(() => read({ PUBLIC_URL: "https://gitpin.acme.dev", ADMIN_TOKEN: "short-secret" }));
  assert.match(message, /ADMIN_TOKEN/);
  assert.doesNotMatch(message, /short-secret/);
  assert.match(
    fault(() => read({ PUBLIC_URL: "https://gitpin.acme.dev", ANONYMOUS_ACCESS: "all" })),
    /all is for a service that only this machine can reach/,
  );
});

test("repositories on the command line are refused", () => {
  const service = { PUBLIC_URL: "https://gitpin.acme.dev" };
  assert.match(
    fault(() => read(service, "--repo", ".")),
    /^PUBLIC_URL is set, so this is a service: Unknown option '--repo'/,
  );
  assert.match(
    fault(() => read(service, "--port", "70000")),
    /0 to 65535/,
  );
});
