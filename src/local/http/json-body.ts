// The JSON body of a write request and its members, with GitHub's refusals of what is missing or of another type.
// Owns: those texts (400 for what is no JSON object, 422 for members). What a value must mean is the route's to say.
import { ApiError } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

export type Members = Record<string, unknown>;

const invalid = (text: string): ApiError => new ApiError(422, `Invalid request.\n\n${text}`);

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export async function readMembers({ body }: Exchange): Promise<Members> {
  const text = (await body()).toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (reason) {
    if (reason instanceof SyntaxError) throw new ApiError(400, "Problems parsing JSON");
    throw reason;
  }
  if (!isObject(value)) throw new ApiError(400, "Body should be a JSON object");
  return value;
}

const wrong = (name: string, value: unknown, type: string): ApiError =>
  invalid(`For 'properties/${name}', ${value === null ? "nil" : JSON.stringify(value)} is not ${type}.`);

export function optionalString(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value !== undefined && typeof value !== "string") throw wrong(name, value, "a string");
  return value;
}

export function requiredString(members: Members, name: string): string {
  const value = optionalString(members, name);
  if (value === undefined) throw invalid(`"${name}" wasn't supplied.`);
  return value;
}

/** False when left out. */
export function flag(members: Members, name: string): boolean {
  const value = members[name] ?? false;
  if (typeof value !== "boolean") throw wrong(name, value, "a boolean");
  return value;
}

export function optionalMembers(members: Members, name: string): Members | undefined {
  const value = members[name];
  if (value !== undefined && !isObject(value)) throw wrong(name, value, "an object");
  return value;
}

/** Empty when left out. */
export function strings(members: Members, name: string): string[] {
  const value = members[name] ?? [];
  if (!Array.isArray(value)) throw wrong(name, value, "an array");
  for (const one of value) if (typeof one !== "string") throw wrong(name, one, "a string");
  return value;
}

export function objects(members: Members, name: string): Members[] {
  const value = members[name];
  if (value === undefined) throw invalid(`"${name}" wasn't supplied.`);
  if (!Array.isArray(value)) throw wrong(name, value, "an array");
  for (const one of value)
    if (!isObject(one)) throw invalid(`For 'items', ${JSON.stringify(one)} is not an object.`);
  return value;
}
