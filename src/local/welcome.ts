// What `npm start` prints: where to connect, a first line of evidence, and a command that re-checks it.
// Every line is an answer of the running service, so what is printed was seen to work.
import { catalog as catalogSchema } from "../schema/catalog.ts";
import { evidencePack, evidenceSlice } from "../schema/evidence.ts";

async function ask(url: string, path: string, query: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`);
  return await response.json();
}

/** A file of the root that a reader knows by its name, else the first one. */
async function firstFile(url: string, repository: string): Promise<string | null> {
  const root = evidenceSlice.safeParse(await ask(url, "/v1/read", { repository }));
  const files = (root.data?.entries ?? []).filter(
    ({ entryType, blocked }) => entryType === "file" && !blocked,
  );
  return (files.find(({ name }) => /^readme/i.test(name)) ?? files[0])?.sourcePath ?? null;
}

export async function welcome(url: string, repository: string): Promise<string> {
  const rows = catalogSchema.safeParse(await ask(url, "/v1/catalog", {})).data?.repositories ?? [];
  const lines = [
    "GitPin Edge is running. Ctrl-C stops it.",
    "",
    `  MCP   ${url}/mcp?names=underscore   (works in every client)`,
    `        ${url}/mcp   (names with dots)`,
    `  REST  ${url}/v1/catalog`,
    "",
    ...rows.map((row) => `  ${row.repository.padEnd(24)} ${row.headSha ?? `${row.status}: ${row.reason}`}`),
  ];
  const sourcePath = await firstFile(url, repository);
  if (sourcePath === null) return lines.join("\n");
  const pack = evidencePack.safeParse(
    await ask(url, "/v1/prove", { repository, sourcePath, lineStart: "1", lineEnd: "1" }),
  );
  if (!pack.success || pack.data.status !== "ok") return lines.join("\n");
  const { content, citation, contentSha256 } = pack.data;
  return [
    ...lines,
    "",
    "A first line of evidence:",
    `  ${JSON.stringify(content)}`,
    `  ${citation.cite}`,
    `  sha256 ${contentSha256}`,
    "Verify it (exit code 0 means ok):",
    `  ${citation.verify.curl} -H "Accept: text/plain"`,
    "or with plain git, in the clone:",
    `  ${citation.verify.sha256}`,
  ].join("\n");
}
