/**
 * The private key of a GitHub App as GitHub hands it out (PEM of PKCS#1) or as `openssl pkcs8` makes it (PEM of PKCS#8).
 * Web Crypto reads PKCS#8 alone, so PKCS#1 is wrapped: RFC 5208 around RFC 8017, A.1.2. Refuses every other form; never shows a key.
 */
import { GitpinError } from "../../errors.ts";

const PEM = /^-----BEGIN (RSA PRIVATE KEY|PRIVATE KEY)-----([A-Za-z0-9+/=\s]+)-----END \1-----\s*$/;
const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
/** INTEGER 0, then SEQUENCE { OBJECT IDENTIFIER 1.2.840.113549.1.1.1 (rsaEncryption), NULL }. */
const VERSION_AND_ALGORITHM = [
  0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
];

/** DER: tag, length in its shortest form, content. */
function der(tag: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = content.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff);
  const head = content.length < 0x80 ? [content.length] : [0x80 | length.length, ...length];
  return Uint8Array.from([tag, ...head, ...content]);
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A PEM of PKCS#8. `text` may have its line breaks written as `\n`, as environment variables often do. Throws `invalid_argument`. */
export function appKeyOf(text: string): string {
  const [, kind, body = ""] = PEM.exec(text.trim().replaceAll("\\n", "\n")) ?? [];
  const bytes = Uint8Array.from(Buffer.from(body.replaceAll(/\s/g, ""), "base64"));
  if (kind === undefined || bytes[0] !== SEQUENCE) {
    throw new GitpinError(
      "invalid_argument",
      "GITHUB_APP_PRIVATE_KEY is not a PEM private key of the kind that GitHub hands out.",
      "Set it to the whole .pem file that GitHub gave you, with its BEGIN and END lines.",
      { field: "GITHUB_APP_PRIVATE_KEY" },
    );
  }
  const pkcs8 =
    kind === "PRIVATE KEY"
      ? bytes
      : der(SEQUENCE, Uint8Array.from([...VERSION_AND_ALGORITHM, ...der(OCTET_STRING, bytes)]));
  const lines = toBase64(pkcs8).match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}
