/** The guard by itself: what is open to every page is still for our own hosts only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { createGuard } from "./guard.ts";

const guard = createGuard({ hosts: ["gitpin.example"], origins: ["https://app.example"] });
const standing = (host: string, origin: string | null, open: boolean): string => {
  try {
    return guard.check(new Request(`https://${host}/`, origin === null ? {} : { headers: { origin } }), open);
  } catch (error) {
    if (error instanceof GitpinError) return error.code;
    throw error;
  }
};

test("host first, then origin; open only widens the origin", () => {
  const table: [host: string, origin: string | null, open: boolean, expected: string][] = [
    ["gitpin.example", null, false, "no-page"],
    ["gitpin.example", "https://app.example", false, "our-page"],
    ["gitpin.example", "https://evil.example", false, "origin_refused"],
    ["gitpin.example", "https://evil.example", true, "any-page"],
    ["gitpin.example", "null", true, "any-page"],
    ["rebound.example", null, true, "host_refused"],
    ["rebound.example", "https://evil.example", true, "host_refused"],
    ["rebound.example", "https://app.example", true, "host_refused"],
  ];
  for (const [host, origin, open, expected] of table)
    assert.equal(standing(host, origin, open), expected, `${host} ${origin} ${open}`);
});
