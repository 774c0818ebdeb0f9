import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { bearerOf, requireScope } from "./bearer.ts";
import { addressKey, callerLimits } from "./caller-limits.ts";
import { ANONYMOUS_WRITER, createGate } from "./gate.ts";
import { mintToken, proofOf, sameHash, TOKEN_BYTES } from "./token.ts";

const coded =
  (code: string, data: Record<string, unknown> = {}) =>
  (error: unknown) =>
    error instanceof GitpinError &&
    error.code === code &&
    Object.entries(data).every(([key, value]) => error.data[key] === value);

test("a token carries its id, and its hash is that of the whole of it", () => {
  const minted = mintToken(new Uint8Array(TOKEN_BYTES).fill(0xab));
  assert.equal(minted.token, "gpe_abababababababab_q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s");
  assert.equal(
    minted.hash, // As sha256sum prints it.
    "6b78b4fcd8e83358a191b73c5a889f66ecff9488de05fb76ac230528f6cff870",
  );
  assert.deepEqual(proofOf(minted.token), { id: minted.id, hash: minted.hash });
  for (const other of ["", "gpe_", `${minted.token}A`, minted.token.slice(0, -1), ` ${minted.token}`]) {
    assert.equal(proofOf(other), null, other);
  }
  assert.throws(() => mintToken(new Uint8Array(39)), RangeError);
});

test("hashes are equal or not; what is no hash never is", () => {
  const hash = "ab".repeat(32);
  assert.equal(sameHash(hash, hash), true);
  assert.equal(sameHash(hash, `${"ab".repeat(31)}ac`), false);
  for (const bad of ["", "ab", "zz".repeat(32), `${hash}ab`]) {
    assert.equal(sameHash(bad, bad), false);
    assert.equal(sameHash(hash, bad), false);
  }
});

test("a header is a bearer token, nothing, or refused", () => {
  assert.equal(bearerOf(null), null);
  assert.equal(bearerOf("Bearer abc"), "abc");
  assert.equal(bearerOf("bEARER  abc.~+/-_=="), "abc.~+/-_==");
  for (const bad of [
    "",
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a,b",
    "Basic abc",
    "abc",
    "Bearer \u00e9",
  ]) {
    assert.throws(() => bearerOf(bad), coded("unauthorized", { reason: "malformed" }), bad);
  }
});

test("one key for an IPv4 address and for an IPv6 /64", () => {
  assert.equal(addressKey("192.0.2.7"), "192.0.2.7");
  assert.equal(addressKey("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  assert.equal(addressKey("2001:0DB8:0001:0002::1"), "2001:db8:1:2::/64");
  assert.equal(addressKey("2001:db8::1"), "2001:db8:0:0::/64");
  assert.equal(addressKey("::1"), "0:0:0:0::/64");
  assert.equal(addressKey("2001:db8:1:2::"), "2001:db8:1:2::/64");
  assert.equal(addressKey("::ffff:192.0.2.7"), "192.0.2.7");
});

const limiter = (allowed: number) => {
  const keys: string[] = [];
  return {
    keys,
    limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= allowed }),
  };
};

test("addresses are limited before a token is looked at, tokens after; 429 says when to come back", async () => {
  const byAddress = limiter(3);
  const byToken = limiter(1);
  const entered: unknown[] = [];
  const gate = createGate({
    adminToken: "a".repeat(32),
    anonymous: "public",
    limits: callerLimits(byAddress, byToken),
    enter: async (proof) => {
      entered.push(proof);
      return null;
    },
  });
  const call = (token?: string) =>
    gate(
      new Request("https://e.example/", {
        headers: {
          "cf-connecting-ip": "192.0.2.7",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      }),
    );
  assert.equal((await call("a".repeat(32))).id, "operator");
  await assert.rejects(call("a".repeat(32)), coded("rate_limited", { retryAfterSeconds: 60 }));
  assert.equal((await call()).id, "anonymous");
  const looked = entered.length;
  await assert.rejects(call("gpe_guess"), coded("rate_limited", { retryAfterSeconds: 60 }));
  assert.equal(entered.length, looked);
  assert.deepEqual(byToken.keys, ["operator", "operator"]);
  assert.deepEqual(new Set(byAddress.keys), new Set(["192.0.2.7"]));
});

test("without a keeper of tokens every token is refused, and with none for nobody so is who brings none", async () => {
  const gate = createGate({
    adminToken: null,
    anonymous: "none",
    limits: callerLimits(undefined, undefined),
    enter: async () => null,
  });
  const { token } = mintToken(new Uint8Array(TOKEN_BYTES));
  const withToken = new Request("https://e.example/", { headers: { authorization: `Bearer ${token}` } });
  await assert.rejects(gate(withToken), coded("unauthorized", { reason: "unknown" }));
  await assert.rejects(gate(new Request("https://e.example/")), coded("unauthorized", { reason: "absent" }));
});

test("without a credential one writes only where that was opened, and never from a page", async () => {
  const scopes = async (anonymousWrites: boolean, headers: Record<string, string> = {}) => {
    const limits = callerLimits(undefined, undefined);
    const gate = createGate({
      adminToken: null,
      anonymous: "all",
      anonymousWrites,
      limits,
      enter: async () => null,
    });
    return (await gate(new Request("http://127.0.0.1:8787/", { headers }))).scopes;
  };
  assert.deepEqual(await scopes(false), []);
  assert.deepEqual(await scopes(true), ["kin:write"]);
  for (const origin of ["http://127.0.0.1:8787", "https://evil.example", "null"]) {
    assert.deepEqual(await scopes(true, { origin }), [], origin);
  }
});

test("who showed no credential is asked for one, whatever may be done without", () => {
  assert.throws(
    () => requireScope(ANONYMOUS_WRITER, "registry:admin"),
    coded("unauthorized", { reason: "absent" }),
  );
  assert.doesNotThrow(() => requireScope(ANONYMOUS_WRITER, "kin:write"));
  const reader = { id: "token:1", team: "blue", scopes: ["pin:read"] };
  assert.throws(() => requireScope(reader, "kin:write"), coded("forbidden", { scope: "kin:write" }));
});
