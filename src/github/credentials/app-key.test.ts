/** Keys of an App against OpenSSL: PKCS#1 becomes what `openssl pkcs8` makes of it, PKCS#8 stays what it is. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { appKeyOf } from "./app-key.ts";

const pkcs8ByOpenSsl = (pem: string): string =>
  execFileSync("openssl", ["pkcs8", "-topk8", "-nocrypt"], { input: pem, encoding: "utf8" });

test("both formats that GitHub hands out, of every usual size", () => {
  for (const modulusLength of [1024, 2048, 3072, 4096]) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength });
    const pkcs1 = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    const pkcs8 = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    assert.match(pkcs1, /^-----BEGIN RSA PRIVATE KEY-----/);
    assert.equal(appKeyOf(pkcs1), pkcs8ByOpenSsl(pkcs1));
    assert.equal(appKeyOf(pkcs8), pkcs8);
    for (const written of [
      pkcs1.replaceAll("\n", "\\n"),
      pkcs1.replaceAll("\n", "\r\n"),
      `\n${pkcs1.trimEnd()}  `,
    ]) {
      assert.equal(appKeyOf(written), pkcs8);
    }
  }
});

test("anything else is refused, naming the setting and not showing it", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (const text of [
    "",
    "secret-not-a-key",
    privateKey.export({ type: "sec1", format: "pem" }).toString(),
    "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----",
  ]) {
    assert.throws(
      () => appKeyOf(text),
      (error) => {
        assert.ok(error instanceof GitpinError);
        assert.deepEqual([error.code, error.data.field], ["invalid_argument", "GITHUB_APP_PRIVATE_KEY"]);
        return text === "" || !JSON.stringify(error.report()).includes(text.slice(0, 12));
      },
    );
  }
});
