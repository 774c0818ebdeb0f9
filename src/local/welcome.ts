// What `npm start` prints: where to connect, a first line of evidence, and a command that re-checks it.
// Every line is an answer of the running service, so what is printed was seen to work.
import { catalog as catalogSchema } from "../schema/catalog.ts";
import { type EvidencePack, evidencePack, evidenceSlice } from "../schema/evidence.ts";

/** How many files are tried for a first line: the first may be empty or no text. */
const TRIES = 8;

async function ask(url: string, path: string, query: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`);
  return await response.json();
}

/** Files of the root, the ones that a reader knows by their name first. */
async function firstFiles(url: string, repository: string): Promise<string[]> {
  const root = evidenceSlice.safeParse(await ask(url, "/v1/read", { repository }));
  const files = (root.data?.entries ?? []).filter(
    ({ entryType, blocked }) => entryType === "file" && !blocked,
  );
  const rank = (name: string): number => (/^readme/i.test(name) ? 0 : name.startsWith(".") ? 2 : 1);
  return files.sort((left, right) => rank(left.name) - rank(right.name)).map((file) => file.sourcePath);
}

async function firstEvidence(url: string, repositories: readonly string[]): Promise<EvidencePack | null> {
  for (const repository of repositories) {
    for (const sourcePath of (await firstFiles(url, repository)).slice(0, TRIES)) {
      const query = { repository, sourcePath, lineStart: "1", lineEnd: "1" };
      const pack = evidencePack.safeParse(await ask(url, "/v1/prove", query)).data;
      if (pack?.status === "ok" && pack.encoding === "utf-8") return pack;
    }
  }
  return null;
}

/** `repositories` in the order to look for a first line. */
export async function welcome(url: string, repositories: readonly string[]): Promise<string> {
  const rows = catalogSchema.safeParse(await ask(url, "/v1/catalog", {})).data?.repositories ?? [];
  const pack = await firstEvidence(url, repositories);
  return [
    "GitPin Edge is running. Ctrl-C stops it.",
    "",
    `  MCP   ${url}/mcp?names=underscore   (works in every client)`,
    `        ${url}/mcp   (names with dots)`,
    `  REST  ${url}/v1/catalog`,
    "",
    ...rows.map((row) => `  ${row.repository.padEnd(24)} ${row.headSha ?? `${row.status}: ${row.reason}`}`),
    "",
    ...(pack === null
      ? ["No line of text to begin with: the repositories hold none yet."]
      : evidenceLines(pack)),
  ].join("\n");
}

const evidenceLines = ({ content, citation, contentSha256 }: EvidencePack): string[] => [
  "A first line of evidence:",
  `  ${JSON.stringify(content)}`,
  `  ${citation.cite}`,
  `  sha256 ${contentSha256}`,
  "Verify it (exit code 0 means ok):",
  `  ${citation.verify.curl} -H "Accept: text/plain"`,
  "or with plain git, in the clone:",
  `  ${citation.verify.sha256}`,
];
