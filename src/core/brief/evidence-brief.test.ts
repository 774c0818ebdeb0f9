import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { audience, coverage, evidenceBrief } from "../../schema/brief.ts";
import type { Citation } from "../../schema/citation.ts";
import { citationOf } from "../citation/citation.ts";
import { buildCoverage } from "./coverage.ts";
import { type BriefRequest, buildEvidenceBrief } from "./evidence-brief.ts";
import type { ExaminedDocument, ExaminedRepository } from "./examined.ts";

const SHA = "1".repeat(40);
const BASE = "2".repeat(40);
const cite = (repository: string, sourcePath: string, commitSha = SHA): Citation =>
  citationOf({
    repository,
    sourcePath,
    commitSha,
    blobSha: "3".repeat(40),
    provenance: "git-commit",
    webUrl: `https://host.example/o/${repository}`,
    publicUrl: null,
    needsToken: false,
    lines: null,
    kind: "file",
  });
const found = (repository: string, sourcePath: string, title: string | null = null): ExaminedDocument => ({
  sourcePath,
  state: "found",
  citation: cite(repository, sourcePath),
  title,
  totalLines: 12,
});
const lacking = (sourcePath: string, state: "missing" | "blocked" = "missing"): ExaminedDocument => ({
  sourcePath,
  state,
  citation: null,
  title: null,
  totalLines: null,
});
const orders: ExaminedRepository = {
  repository: "orders",
  commitSha: SHA,
  ref: "refs/heads/main",
  documents: [
    found("orders", "README.md", "Orders\n\u202eand  carts"),
    lacking("docs/architecture.md"),
    lacking("AGENTS.md", "blocked"),
    found("orders", "docs/development.md"),
  ],
};
const billing: ExaminedRepository = {
  repository: "billing",
  commitSha: BASE,
  ref: null,
  documents: [found("billing", "README.md"), lacking("AGENTS.md")],
};
const request: BriefRequest = {
  audience: "technical",
  repositories: [orders],
  unexamined: [],
  range: null,
  spell: (name) => name.replaceAll(".", "_"),
};
const build = (more: Partial<BriefRequest> = {}) =>
  evidenceBrief.parse(buildEvidenceBrief({ ...request, ...more }));

test("facts are what stands there, gaps what does not, and nothing is inferred", () => {
  const brief = build();
  assert.deepEqual(
    brief.knownFacts.map(({ id, label, statement }) => [id, label, statement]),
    [
      [
        "document:orders:README.md",
        "Document",
        `orders has README.md at ${SHA}, 12 lines, titled "Orders and carts".`,
      ],
      [
        "document:orders:docs/development.md",
        "Document",
        `orders has docs/development.md at ${SHA}, 12 lines.`,
      ],
    ],
  );
  assert.deepEqual(
    brief.gaps.map(({ id, label, statement }) => [id, label, statement]),
    [
      [
        "document:orders:docs/architecture.md",
        "Missing document",
        `orders has no docs/architecture.md at ${SHA}.`,
      ],
      ["document:orders:AGENTS.md", "Blocked document", "Policy forbids reading AGENTS.md of orders."],
    ],
  );
  assert.deepEqual(brief.inferences, []);
  assert.equal(brief.knownFacts[0]?.trace.citation?.cite, `orders/README.md @ ${SHA}`);
  assert.equal(brief.gaps[0]?.trace.citation, null);
  assert.deepEqual(brief.scope, {
    repositories: [{ repository: "orders", commitSha: SHA, ref: "refs/heads/main" }],
    changeRange: null,
  });
  assert.deepEqual(brief.nextSafeAction.call, {
    tool: "pin_verify_set",
    arguments: {
      items: [
        { repository: "orders", sourcePath: "README.md", sha: SHA },
        { repository: "orders", sourcePath: "docs/development.md", sha: SHA },
      ],
    },
  });
  assert.equal(
    brief.presentation.summary,
    "2 known facts and 2 gaps from 1 repository; nothing is inferred.",
  );
});

test("the id follows the published recipe", () => {
  const lines = `orders\tREADME.md\t${SHA}\t\t\norders\tdocs/development.md\t${SHA}\t\t\n`;
  assert.equal(build().evidenceSetId, createHash("sha256").update(lines).digest("hex"));
});

test("the audience changes the presentation and nothing else; the order asked in changes nothing", () => {
  const { audience: _, presentation: __, ...facts } = build({ repositories: [orders, billing] });
  const shown = new Set<string>();
  for (const one of audience.options) {
    const {
      audience: whom,
      presentation,
      ...same
    } = build({ audience: one, repositories: [billing, orders] });
    assert.deepEqual(same, facts, one);
    assert.equal(whom, one);
    shown.add(presentation.title);
    assert.deepEqual(
      presentation.sections.flatMap(({ ids }) => ids).sort(),
      [...facts.knownFacts, ...facts.gaps].map(({ id }) => id).sort(),
    );
  }
  assert.equal(shown.size, 6);
});

test("changed paths are facts, a hundred at most, and a gap says how many were left out", () => {
  const change = (n: number) => ({
    status: "M" as const,
    sourcePath: `src/${n}.ts`,
    previousPath: null,
    citation: cite("orders", `src/${n}.ts`),
  });
  const changes = Array.from({ length: 130 }, (_, n) => change(n));
  const brief = build({
    repositories: [],
    range: { repository: "orders", base: BASE, head: SHA, changes, total: 1234 },
  });
  assert.equal(brief.knownFacts.length, 100);
  assert.equal(brief.knownFacts[0]?.statement, `src/0.ts of orders was modified between ${BASE} and ${SHA}.`);
  assert.deepEqual(
    brief.gaps.map(({ statement }) => statement),
    [
      `1134 of 1234 changed paths of orders between ${BASE} and ${SHA} are left out here; pin_compare lists them all.`,
    ],
  );
  assert.equal(
    brief.nextSafeAction.statement,
    "Re-check the first 8 of 100 cited files before you rely on them.",
  );
  assert.deepEqual([brief.technicalTrace.changesTotal, brief.technicalTrace.changesShown], [1234, 100]);
});

test("a document that also changed is cited by two facts, and checked and counted in the id once", () => {
  const readme = {
    status: "M" as const,
    sourcePath: "README.md",
    previousPath: null,
    citation: cite("orders", "README.md"),
  };
  const brief = build({
    range: { repository: "orders", base: BASE, head: SHA, changes: [readme], total: 1 },
  });
  assert.equal(brief.knownFacts.length, 3);
  assert.equal(brief.evidenceSetId, build().evidenceSetId);
  assert.deepEqual(brief.nextSafeAction.call?.arguments, build().nextSafeAction.call?.arguments);
});

test("each letter in words; a deletion is cited where it last stood", () => {
  const one = (status: "A" | "M" | "D" | "T" | "R", sourcePath: string) => ({
    status,
    sourcePath,
    previousPath: status === "R" ? "old" : null,
    citation: cite("orders", sourcePath, status === "D" ? BASE : SHA),
  });
  const changes = [one("A", "a"), one("D", "d"), one("R", "r"), one("T", "t")];
  const { knownFacts } = build({
    repositories: [],
    range: { repository: "orders", base: BASE, head: SHA, changes, total: 4 },
  });
  assert.deepEqual(
    knownFacts.map(({ statement, trace }) => [statement, trace.commitSha]),
    [
      [`a of orders was added between ${BASE} and ${SHA}.`, SHA],
      [`d of orders was deleted between ${BASE} and ${SHA}.`, BASE],
      [`r of orders was moved unchanged from old between ${BASE} and ${SHA}.`, SHA],
      [`t of orders changed its type (file, symlink or submodule) between ${BASE} and ${SHA}.`, SHA],
    ],
  );
});

test("an empty range is known, an unexamined repository is a gap, never silence", () => {
  const brief = build({
    repositories: [],
    range: { repository: "orders", base: BASE, head: SHA, changes: [], total: 0 },
    unexamined: Array.from({ length: 23 }, (_, n) => ({
      repository: `r${10 + n}`,
      reason: "the host is down.",
    })),
  });
  assert.deepEqual(
    brief.knownFacts.map(({ statement }) => statement),
    [`No path of orders differs between ${BASE} and ${SHA}.`],
  );
  assert.equal(brief.gaps.length, 21);
  assert.equal(brief.gaps[0]?.statement, "r10 could not be examined: the host is down.");
  assert.equal(brief.gaps[20]?.statement, "3 further repositories were not examined; name those you need.");
  assert.deepEqual(brief.nextSafeAction.call, { tool: "pin_catalog", arguments: {} });
});

test("coverage: which repository has and lacks which expected document", () => {
  const rows = (operation: "gaps" | "compare", repositories: ExaminedRepository[]) =>
    coverage.parse(
      buildCoverage({
        operation,
        repositories,
        unexamined: [{ repository: "down", reason: "the host is down." }],
        spell: (name) => name,
      }),
    );
  const full: ExaminedRepository = { ...orders, repository: "full", documents: [found("full", "README.md")] };
  const compared = rows("compare", [full, billing, orders]);
  assert.deepEqual(
    compared.rows.map(({ repository, found: has, lacking: lacks, reason }) => [
      repository,
      has,
      lacks,
      reason,
    ]),
    [
      ["orders", 2, ["docs/architecture.md", "AGENTS.md"], null],
      ["billing", 1, ["AGENTS.md"], null],
      ["full", 1, [], null],
      ["down", 0, [], "the host is down."],
    ],
  );
  assert.deepEqual(compared.byDocument, [
    { sourcePath: "README.md", has: ["billing", "full", "orders"], lacks: [] },
    { sourcePath: "docs/architecture.md", has: [], lacks: ["orders"] },
    { sourcePath: "AGENTS.md", has: [], lacks: ["billing", "orders"] },
    { sourcePath: "docs/development.md", has: ["orders"], lacks: [] },
  ]);
  assert.deepEqual([compared.examined, compared.notExamined], [3, 1]);
  assert.deepEqual(
    rows("gaps", [full, orders]).rows.map(({ repository }) => repository),
    ["orders", "down"],
  );
});
