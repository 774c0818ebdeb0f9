/**
 * Reading a JSON request body: media type, size bound before parsing, UTF-8, nesting bound, syntax.
 * Owns these checks for REST and MCP. Its errors name the problem and never repeat the body.
 */
import { GitpinError } from "../errors.ts";

export interface BodyLimits {
  /** Most bytes of a body. */
  bytes: number;
  /** Most brackets open at once. */
  depth: number;
}

export const BODY_LIMITS: BodyLimits = { bytes: 262_144, depth: 64 };

/** `application/json`, with any parameters but a charset other than UTF-8. */
export function isJson(contentType: string | null): boolean {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === "application/json" && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

const tooLarge = (limits: BodyLimits): GitpinError =>
  new GitpinError(
    "body_too_large",
    `The body is larger than ${limits.bytes} bytes.`,
    "Send a smaller body, or split the call.",
    { limitBytes: limits.bytes },
  );

const malformed = (problem: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", problem, nextStep, { field: "body" });

/** The whole body, or `body_too_large` as soon as more than the bound is announced or has arrived. */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw encodingUnsupported();
  if (Number(request.headers.get("content-length") ?? 0) > limits.bytes) throw tooLarge(limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body === null) return new Uint8Array(0);
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (length > limits.bytes) throw tooLarge(limits);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** Deepest nesting of brackets outside strings. Walks the text, so that no parser recurses into a hostile body. */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return deepest;
}

/** Parses bytes of a body. Throws `invalid_argument` (field `body`) for what is not UTF-8, not JSON or nested too deep. */
export function parseJson(bytes: Uint8Array, limits: BodyLimits): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw malformed("The body is not UTF-8.", "Send the body as JSON in UTF-8.");
  }
  if (nestingOf(text) > limits.depth) {
    throw malformed(`The body is nested more than ${limits.depth} levels deep.`, "Send a flatter body.");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const where = position === undefined ? "" : ` (at character ${position})`;
    throw malformed(`The body is not JSON${where}.`, "Send one JSON object, with double-quoted names.");
  }
}

/** The parsed body of a request that must carry JSON. */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  if (!isJson(request.headers.get("content-type"))) throw mediaTypeUnsupported();
  return parseJson(await readBytes(request, limits), limits);
}

export const mediaTypeUnsupported = (): GitpinError =>
  new GitpinError(
    "media_type_unsupported",
    "The body must be JSON.",
    "Send Content-Type: application/json (UTF-8).",
    { offered: ["application/json"] },
  );

const encodingUnsupported = (): GitpinError =>
  new GitpinError(
    "media_type_unsupported",
    "A body with a Content-Encoding is not read.",
    "Send the body as it is, without compressing it.",
    { field: "content-encoding" },
  );
