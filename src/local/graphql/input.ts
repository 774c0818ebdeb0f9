// Members of GraphQL input objects, checked by hand: GitHub's words for what is missing or of another type.
import { FieldError } from "./execute.ts";

export type Input = Record<string, unknown>;

const invalid = (name: string, type: string): FieldError =>
  new FieldError(
    "argumentLiteralsIncompatible",
    `Argument '${name}' has an invalid value. Expected type '${type}'.`,
  );

export function inputObject(value: unknown, name: string): Input {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(name, "Object!");
  return value as Input;
}

export function inputList(value: unknown, name: string): Input[] {
  // A single value stands for a list of one (GraphQL, 3.11).
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => inputObject(item, name));
}

export function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw invalid(name, "String!");
  return value;
}

export function optionalText(input: Input, name: string): string | null {
  return (input[name] ?? null) === null ? null : text(input, name);
}

export function truth(input: Input, name: string): boolean {
  const value = input[name] ?? false;
  if (typeof value !== "boolean") throw invalid(name, "Boolean");
  return value;
}

/** 40 hex digits. */
export function oid(input: Input, name: string): string {
  const value = text(input, name);
  if (!/^[0-9a-f]{40}$/.test(value)) throw invalid(name, "GitObjectID!");
  return value;
}

export function optionalOid(input: Input, name: string): string | null {
  return (input[name] ?? null) === null ? null : oid(input, name);
}
