/** Where archives may come from, for each kind of host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { downloadTarget } from "./download-target.ts";
import { isOfApi } from "./redirect.ts";

const ALLOWED: [api: string, location: string][] = [
  ["https://api.github.com", "https://codeload.github.com/o/r/legacy.tar.gz/abc?token=x"],
  ["https://ghe.example/api/v3", "https://codeload.ghe.example/o/r/legacy.tar.gz/abc"],
  ["https://ghe.example/api/v3", "https://ghe.example/_codeload/o/r/legacy.tar.gz/abc"],
  ["https://api.corp.ghe.com", "https://codeload.corp.ghe.com/o/r/legacy.tar.gz/abc"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/_codeload/o/r/legacy.tar.gz/abc"],
];

test("the API's own host and the download host beside it", () => {
  for (const [api, location] of ALLOWED) {
    assert.equal(downloadTarget(api, api, location, "x").href, location);
    assert.equal(isOfApi(api, location), false, location);
  }
});

test("nothing else, and the address is not repeated", () => {
  for (const location of [
    "https://codeload.github.com.evil.example/x?token=secret",
    "http://codeload.github.com/x?token=secret",
    "https://codeload.github.com:8443/x?token=secret",
    "https://user:secret@codeload.github.com/x",
    "https://github.com/x?token=secret",
    "https://raw.githubusercontent.com/secret",
    "file:///secret",
    null,
  ]) {
    assert.throws(
      () => downloadTarget("https://api.github.com", "https://api.github.com/x", location, "the archive"),
      (error) =>
        error instanceof GitpinError &&
        error.code === "upstream_unexpected" &&
        !JSON.stringify(error.report()).includes("secret"),
      String(location),
    );
  }
});

test("a repository that moved is followed within the API", () => {
  assert.equal(isOfApi("https://api.github.com", "https://api.github.com/repositories/1/tarball/abc"), true);
  assert.equal(
    isOfApi("https://ghe.example/api/v3", "https://ghe.example/api/v3/repositories/1/tarball/abc"),
    true,
  );
  assert.equal(
    isOfApi("https://ghe.example/api/v3", "https://ghe.example/repositories/1/tarball/abc"),
    false,
  );
});
