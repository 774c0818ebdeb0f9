/**
 * GitHub's signature of a webhook: HMAC-SHA-256 over the raw body, in `X-Hub-Signature-256` as `sha256=` and 64 hex digits.
 * The body goes in as it arrives; several secrets hold at a time, so that one can be replaced. Compared in constant time.
 * Follows docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const FORM = /^sha256=([0-9a-f]{64})$/i;

/** Whether a header could be a signature at all: asked before a body is read. */
export const isSignature = (header: string | null): header is string => header !== null && FORM.test(header);

export interface Verifier {
  update(piece: Uint8Array): void;
  /** Ends it: whether the signature is that of all pieces under one of the secrets. */
  holds(header: string): boolean;
}

export function createVerifier(secrets: readonly string[]): Verifier {
  const hashes = secrets.map((secret) => createHmac("sha256", secret));
  return {
    update(piece) {
      for (const hash of hashes) hash.update(piece);
    },
    holds(header) {
      const given = Buffer.from(FORM.exec(header)?.[1] ?? "", "hex");
      // Every secret is compared, whichever fits.
      const fits = hashes.map((hash) => {
        const own = hash.digest();
        return given.length === own.length && timingSafeEqual(given, own);
      });
      return fits.includes(true);
    },
  };
}
