/**
 * GitHub's own OpenAPI description as the judge of an answer's shape. Owns finding the schema of an operation,
 * status and media type; refuses (throws) an operation or status that the description does not know.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Schema = Record<string, unknown>;

interface Excerpt {
  description: string;
  /** `GET /repos/{owner}/{repo}` to status to media type to schema. */
  operations: Record<string, Record<string, Record<string, Schema>>>;
  $defs: Record<string, Schema>;
}

const text = readFileSync(join(import.meta.dirname, "excerpt.json"), "utf8");
const excerpt = JSON.parse(text) as Excerpt;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Every operation of the excerpt. */
export const OPERATIONS: string[] = Object.keys(excerpt.operations);

/**
 * What is wrong with `body` as the answer of `operation` (`GET /repos/{owner}/{repo}`); empty when it fits.
 * `mediaType` as the description writes it.
 */
export function violations(
  operation: string,
  status: number,
  body: unknown,
  mediaType = "application/json",
): string[] {
  const schema = excerpt.operations[operation]?.[String(status)]?.[mediaType];
  if (!schema) throw new Error(`${operation} with ${status} and ${mediaType} is not described`);
  const validate = ajv.compile({ ...schema, $defs: excerpt.$defs });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
