/** Reads an OpenAPI document as a test does: its operations, their examples as requests, and the schema of an answer. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Values = Record<string, { value: unknown }>;

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
  example?: unknown;
  examples?: Values;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { examples?: Values }> };
  responses: Record<
    string,
    { $ref?: string; content?: Record<string, object>; headers?: Record<string, object> }
  >;
}

export interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { responses: Record<string, OperationObject["responses"][string]> };
}

export interface ExampleRequest {
  operation: string;
  example: string;
  method: string;
  /** With the query. */
  path: string;
  body: string | null;
  contentType: string | null;
  needsIfMatch: boolean;
}

export const operationsOf = (
  document: OpenApi,
): [path: string, method: string, operation: OperationObject][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OperationObject] => [
      path,
      method,
      operation,
    ]),
  );

const encoded = (name: string, value: unknown): string[] =>
  [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`);

/** Every example of every operation; one request without arguments where an operation takes none. */
export function exampleRequests(document: OpenApi): ExampleRequest[] {
  return operationsOf(document).flatMap(([path, method, operation]) => {
    const parameters = operation.parameters ?? [];
    const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
      Object.entries(examples).map(([name, { value }]) => ({ type, name, value })),
    );
    const query = parameters.filter((one) => one.in === "query");
    const names = new Set([
      ...bodies.map(({ name }) => name),
      ...query.flatMap(({ examples = {} }) => Object.keys(examples)),
    ]);
    if (names.size === 0) names.add("plain");
    const filled = parameters
      .filter((one) => one.in === "path")
      .reduce(
        (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
        path,
      );
    return [...names].map((example): ExampleRequest => {
      const body = bodies.find(({ name }) => name === example);
      const search = query.flatMap(({ name, examples = {} }) =>
        examples[example] === undefined ? [] : encoded(name, examples[example].value),
      );
      return {
        operation: operation.operationId,
        example,
        method: method.toUpperCase(),
        path: search.length === 0 ? filled : `${filled}?${search.join("&")}`,
        body:
          body === undefined
            ? null
            : typeof body.value === "string"
              ? body.value
              : JSON.stringify(body.value),
        contentType: body?.type ?? null,
        needsIfMatch: parameters.some(({ name }) => name === "If-Match"),
      };
    });
  });
}

const pointer = (...parts: string[]): string =>
  parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

export interface Judge {
  /** What is wrong with an answer; empty when the document describes it. */
  violations(operationId: string, answer: { status: number; headers: Headers; text: string }): string[];
}

export function judge(document: OpenApi): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "https://document.example/", ...document });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const validator = (place: string) => {
    const known = compiled.get(place) ?? ajv.compile({ $ref: `https://document.example/#/${place}` });
    compiled.set(place, known);
    return known;
  };
  return {
    violations(operationId, { status, headers, text }) {
      const found = operationsOf(document).find(([, , operation]) => operation.operationId === operationId);
      if (found === undefined) return [`${operationId} is not described`];
      const [path, method, operation] = found;
      const written = operation.responses[String(status)];
      if (written === undefined) return [`${operationId} has no ${status}: ${text.slice(0, 300)}`];
      const name = written.$ref?.split("/").at(-1);
      const response = name === undefined ? written : document.components.responses[name];
      const at =
        name === undefined
          ? pointer("paths", path, method, "responses", String(status))
          : pointer("components", "responses", name);
      const wrong = Object.keys(response?.headers ?? {})
        .filter(
          (header) => !headers.has(header) && !["etag", "retry-after", "www-authenticate"].includes(header),
        )
        .map((header) => `the header ${header} is missing`);
      const [type = ""] = (headers.get("content-type") ?? "").split(";");
      if (status === 304) return wrong;
      if (response?.content?.[type] === undefined) return [...wrong, `${status} as ${type} is not described`];
      if (!type.endsWith("json")) return wrong;
      const validate = validator(`${at}/content/${pointer(type)}/schema`);
      validate(JSON.parse(text));
      return [
        ...wrong,
        ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
      ];
    },
  };
}
