/**
 * The OpenAPI 3.1 document of this very service: from the definitions of its tools, its admin routes where it has them, and
 * the other routes. JSON Schema 2020-12 as it is. Nothing in it is a secret; which tools it describes is the site's to say.
 */
import type { JsonObject } from "../../tools/json-schema.ts";
import type { NotesGate } from "../../tools/notes-gate.ts";
import { respellProse } from "../../tools/spelling.ts";
import type { Tool } from "../../tools/tool.ts";
import { adminOperations } from "./admin-operations.ts";
import { components } from "./components.ts";
import type { Operation } from "./operation.ts";
import {
  citationOperation,
  citationSchemas,
  notesOperation,
  serviceOperations,
} from "./service-operations.ts";
import { toolOperations, toolSchemas } from "./tool-operations.ts";

export interface ServiceParts {
  tools: readonly Tool[];
  notes: NotesGate | null;
  citations: boolean;
  administration: boolean;
  readiness: boolean;
  status: boolean;
  /** What calls without a credential may do beside reading. */
  anonymousScopes: readonly string[];
  publicUrl: string;
  version: string;
}

const ABOUT = `Evidence from hosted git: exact bytes at a full commit SHA, exact search at that SHA, and a verdict that anyone can re-check with plain git.

* GET takes arguments from the query, POST the same from a JSON body. GET routes answer HEAD.
* Verdicts are results, with a status that makes \`curl -f\` a gate: 200 ok, 409 differs, 404 missing, 403 blocked.
* Errors are problem details (RFC 9457). \`error.code\` is the stable name; \`error.nextStep\` says what to do.
* \`Accept: text/plain\` gives lines for people; errors follow it.
* Pages of any origin may read what is answered without a credential; with one, those of ALLOWED_ORIGINS.
* The same tools speak MCP at \`/mcp\` (streamable HTTP).`;

const TAGS = [
  { name: "tools", description: "The tools, as MCP lists them." },
  { name: "notes", description: "All citations of a file at once." },
  { name: "citations", description: "Citations for people." },
  { name: "discovery", description: "What there is." },
  { name: "operation", description: "For whoever runs it." },
  { name: "admin", description: "Registry, tokens and audit." },
];

export function operationsOf(parts: ServiceParts): Operation[] {
  return [
    ...parts.tools.flatMap((tool) => toolOperations(tool, parts.anonymousScopes)),
    ...(parts.notes === null ? [] : [notesOperation(parts.notes)]),
    ...(parts.citations ? [citationOperation()] : []),
    ...serviceOperations(parts),
    ...(parts.administration ? adminOperations() : []),
  ];
}

export function openApiDocument(parts: ServiceParts): JsonObject {
  const respell = respellProse(
    parts.tools.map(({ name }) => name),
    "dotted",
  );
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const { method, path, object } of operationsOf(parts)) {
    const item = paths[path] ?? {};
    item[method] = { ...object, description: respell(String(object.description)) };
    paths[path] = item;
  }
  const shared = components();
  return {
    openapi: "3.1.1",
    info: {
      title: "GitPin Edge",
      version: parts.version,
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: parts.publicUrl }],
    tags: TAGS.filter(({ name }) => name !== "admin" || parts.administration || parts.status),
    paths,
    components: {
      ...shared,
      schemas: {
        ...(shared.schemas as JsonObject),
        ...toolSchemas(parts.tools),
        ...(parts.citations ? citationSchemas() : {}),
      },
    },
  };
}
