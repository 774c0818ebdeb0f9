// What a GraphQL request asks for, told from its body alone: for records of requests, and for faults that shall hit one mutation.
import { chosen, ParseError, parseDocument } from "./document.ts";

/** The root fields (`updateRefs`), however they are called in the answer; none where the body cannot be read. */
export function rootFields(body: Buffer): string[] {
  try {
    const value = JSON.parse(body.toString("utf8")) as Record<string, unknown> | null;
    const { query, operationName } = value ?? {};
    const operations = parseDocument(String(query));
    const operation = chosen(operations, typeof operationName === "string" ? operationName : undefined);
    return operation?.selection.map(({ name }) => name) ?? [];
  } catch (reason) {
    if (reason instanceof ParseError || reason instanceof SyntaxError) return [];
    throw reason;
  }
}
