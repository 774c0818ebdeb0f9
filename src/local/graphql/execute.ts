// Runs a GraphQL operation: first all of it is checked against the types, then root fields run one after the other.
// Owns: GitHub's forms of errors (HTTP 200, `errors`, null for what failed). Refuses unknown fields before anything runs.
import { ApiError } from "../http/answer.ts";
import { SecondaryLimit } from "../http/content-limit.ts";
import {
  chosen,
  type Field,
  type Location,
  type Operation,
  ParseError,
  parseDocument,
  type Value,
} from "./document.ts";

export type Arguments = Record<string, unknown>;

/** A type of objects. `type` of a field: what its value's own fields are; plain values have none. */
export interface ObjectType<Context> {
  name: string;
  fields: Record<string, FieldType<Context>>;
}

interface FieldType<Context> {
  type?: ObjectType<Context>;
  /** Names of arguments that must be there. */
  required?: string[];
  /** `source` is the value of the object that the field belongs to. */
  resolve(source: unknown, given: Arguments, context: Context): unknown;
}

export interface Schema<Context> {
  query: ObjectType<Context>;
  mutation: ObjectType<Context>;
}

export interface GraphqlRequest {
  query: string;
  variables: Arguments;
  operationName: string | undefined;
}

/** An error as the answer of one field. */
export class FieldError extends Error {
  readonly type: string;
  readonly extensions: Record<string, unknown> | undefined;
  constructor(type: string, message: string, extensions?: Record<string, unknown>) {
    super(message);
    this.type = type;
    this.extensions = extensions;
  }
}

interface ErrorShape {
  message: string;
  locations: Location[];
  path?: (string | number)[];
  type?: string;
  extensions?: Record<string, unknown>;
}

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: ErrorShape[];
}

/** Gives the body of the answer. Failures that are no one's mistake reject. */
export async function execute<Context>(
  schema: Schema<Context>,
  request: GraphqlRequest,
  context: Context,
): Promise<GraphqlAnswer> {
  let operation: Operation | undefined;
  try {
    operation = chosen(parseDocument(request.query), request.operationName);
  } catch (reason) {
    if (!(reason instanceof ParseError)) throw reason;
    return { errors: [{ message: reason.message, locations: [reason.location] }] };
  }
  if (operation === undefined)
    return { errors: [{ message: "An operation name is required", locations: [] }] };
  const root = operation.type === "query" ? schema.query : schema.mutation;
  const mistakes = [
    ...mistakesIn(root, operation.selection, [namePath(operation)]),
    ...missingVariables(operation, request.variables),
  ];
  if (mistakes.length > 0) return { errors: mistakes };
  const variables = withFallbacks(operation, request.variables);
  const errors: ErrorShape[] = [];
  const data: Record<string, unknown> = {};
  for (const field of operation.selection) {
    data[field.key] = await resolved(root, field, null, variables, context, [field.key], errors);
  }
  return errors.length > 0 ? { data, errors } : { data };
}

const namePath = ({ type, name }: Operation): string => (name === null ? type : `${type} ${name}`);

function mistakesIn<Context>(
  type: ObjectType<Context>,
  selection: readonly Field[],
  path: readonly string[],
): ErrorShape[] {
  return selection.flatMap((field) => {
    if (field.name === "__typename") return [];
    const here = [...path, field.key];
    const mistake = (code: string, message: string, more: Record<string, unknown>): ErrorShape => ({
      path: here,
      extensions: { code, typeName: type.name, fieldName: field.name, ...more },
      locations: [field.location],
      message,
    });
    const known = Object.hasOwn(type.fields, field.name) ? type.fields[field.name] : undefined;
    if (known === undefined) {
      return [mistake("undefinedField", `Field '${field.name}' doesn't exist on type '${type.name}'`, {})];
    }
    const missing = (known.required ?? []).filter((name) => !field.arguments.has(name));
    if (missing.length > 0) {
      const names = missing.join(", ");
      return [
        mistake("missingRequiredArguments", `Field '${field.name}' is missing required arguments: ${names}`, {
          arguments: names,
        }),
      ];
    }
    if (known.type === undefined) return [];
    if (field.selection.length === 0) {
      const text = `Field must have selections (field '${field.name}' returns ${known.type.name} but has no selections. Did you mean '${field.name} { ... }'?)`;
      return [mistake("selectionMismatch", text, {})];
    }
    return mistakesIn(known.type, field.selection, here);
  });
}

function missingVariables({ variables }: Operation, given: Arguments): ErrorShape[] {
  return variables
    .filter(({ name, required }) => required && (given[name] ?? null) === null)
    .map(({ name }) => ({ message: `Variable $${name} was provided invalid value`, locations: [] }));
}

function withFallbacks({ variables }: Operation, given: Arguments): Arguments {
  const fallbacks = variables.flatMap(({ name, fallback }) =>
    fallback === undefined ? [] : [[name, plain(fallback, {})]],
  );
  return { ...Object.fromEntries(fallbacks), ...given };
}

/** A value with its variables filled in. */
function plain(value: Value, variables: Arguments): unknown {
  switch (value.kind) {
    case "variable":
      return variables[value.name] ?? null;
    case "list":
      return value.items.map((item) => plain(item, variables));
    case "object":
      return Object.fromEntries([...value.members].map(([name, member]) => [name, plain(member, variables)]));
    default:
      return value.value;
  }
}

/** Null where it failed; the error is added to `errors` then. */
async function resolved<Context>(
  type: ObjectType<Context>,
  field: Field,
  source: unknown,
  variables: Arguments,
  context: Context,
  path: (string | number)[],
  errors: ErrorShape[],
): Promise<unknown> {
  if (field.name === "__typename") return type.name;
  const known = type.fields[field.name];
  const given = Object.fromEntries(
    [...field.arguments].map(([name, value]) => [name, plain(value, variables)]),
  );
  let value: unknown;
  try {
    value = await known?.resolve(source, given, context);
  } catch (reason) {
    errors.push({ ...errorShape(reason), path, locations: [field.location] });
    return null;
  }
  if (known?.type === undefined || (value ?? null) === null) return value ?? null;
  const members: Record<string, unknown> = {};
  for (const inner of field.selection) {
    members[inner.key] = await resolved(
      known.type,
      inner,
      value,
      variables,
      context,
      [...path, inner.key],
      errors,
    );
  }
  return members;
}

/** Refusals of the REST API are the same here, under GraphQL's names. */
function errorShape(reason: unknown): Pick<ErrorShape, "type" | "message" | "extensions"> {
  if (reason instanceof FieldError) {
    const { type, message, extensions } = reason;
    return { type, message, ...(extensions && { extensions }) };
  }
  if (!(reason instanceof ApiError) || reason instanceof SecondaryLimit) throw reason;
  const types: Record<number, string> = { 401: "FORBIDDEN", 403: "FORBIDDEN", 404: "NOT_FOUND" };
  const type = types[reason.status] ?? "UNPROCESSABLE";
  const extensions = type === "FORBIDDEN" ? { extensions: { saml_failure: false } } : {};
  return { type, ...extensions, message: reason.message };
}
