/** For tests: JSON in which bytes are base64, so that what holds files can be posted. */
import { Buffer } from "node:buffer";

export const packed = (value: unknown): string =>
  JSON.stringify(value, (_, given: unknown) =>
    given instanceof Uint8Array ? { base64: Buffer.from(given).toString("base64") } : given,
  );

export const unpacked = (text: string): unknown =>
  JSON.parse(text, (_, given: unknown) => {
    const { base64 } = (given ?? {}) as { base64?: unknown };
    return typeof base64 === "string" ? new Uint8Array(Buffer.from(base64, "base64")) : given;
  });
