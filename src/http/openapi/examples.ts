/**
 * Arguments for every operation, ready to be sent. They speak of the repository `example`, which the tests make with the real
 * git, under these very ids, and ask each of them of a running service. A tool without an example fails a test.
 */

export interface Example {
  summary: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** Two commits of the example repository; the second is its HEAD. */
export const EXAMPLE_COMMITS = {
  first: "be03de4c8cd60b75cea118b4bc219010f9a4c5df",
  head: "e4d14308ad2345e1cf2bcbd262369f91188a8e07",
} as const;

const { first, head } = EXAMPLE_COMMITS;
const repository = "example";
const greet = "src/greet.ts";

export const EXAMPLE_HANDLE = `gitpin:${repository}@${first}:${greet}:1-3`;

export const EXAMPLE_NOTES = `The greeting is made in ${repository}/${greet}:1-3 @ ${first}.\n`;

/** `source_base` of the example's one function, as get_entity_source gives it at HEAD. */
const GREET_BASE = {
  schema: "gitpin.source_base.v1",
  repository,
  branch: "main",
  head,
  path: greet,
  blob: "f35ceef54b7ab32a8792a6565f87616f4c49d039",
  entity_id: "707abd4e-4565-558a-b3b2-0a454dcbc179",
  start_byte: 0,
  end_byte: 93,
  body_sha256: "7739a1ae423b5b4289f05388c118cfe1d29a7258840458bbbaf9436f33fac8ba",
};

/** By the dotted name of the tool; the keys are names of examples. */
export const TOOL_EXAMPLES: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  "pin.catalog": {
    all: { summary: "Everything you see", arguments: {} },
    stale: { summary: "What is not fresh", arguments: { view: "stale", limit: 10 } },
  },
  "pin.search_docs": {
    one: { summary: "Prose of one repository", arguments: { repository, query: "architecture" } },
  },
  "pin.search_code": {
    head: { summary: "At HEAD", arguments: { repository, query: "greet" } },
    pinned: {
      summary: "At a commit, in some folders",
      arguments: { repository, query: "Hello, \\S+", mode: "regex", paths: ["src"], sha: first },
    },
    absent: {
      summary: "Nothing found, in all of it",
      arguments: { repository, query: "goodbye", sha: first, caseSensitive: true },
    },
  },
  "pin.prove": {
    lines: {
      summary: "Lines at HEAD, with a claim",
      arguments: { repository, sourcePath: greet, lineStart: 2, lineEnd: 4, claim: "Hello" },
    },
    pinned: { summary: "A file at a commit", arguments: { repository, sourcePath: "README.md", sha: first } },
    blocked: { summary: "What policy forbids", arguments: { repository, sourcePath: ".env", sha: first } },
  },
  "pin.prove_set": {
    two: {
      summary: "Two at once",
      arguments: {
        items: [
          { repository, sourcePath: greet, lineStart: 2, lineEnd: 4 },
          { repository, sourcePath: "README.md", lineStart: 1, sha: first },
        ],
      },
    },
  },
  "pin.get_doc": {
    page: { summary: "A page at HEAD", arguments: { repository, sourcePath: "README.md" } },
    missing: { summary: "One that is not there", arguments: { repository, sourcePath: "docs/none.md" } },
  },
  "pin.read": {
    root: { summary: "The root directory", arguments: { repository } },
    pinned: {
      summary: "Lines at a commit",
      arguments: { repository, sourcePath: greet, lineStart: 1, lineEnd: 3, sha: first },
    },
  },
  "pin.verify": {
    handle: { summary: "By its handle; the lines moved since", arguments: { handle: EXAMPLE_HANDLE } },
    parts: {
      summary: "By its parts, with a text",
      arguments: { repository, sourcePath: greet, sha: head, line: 2, mustContain: "greet" },
    },
    contradicted: {
      summary: "A text that is not there",
      arguments: { repository, sourcePath: greet, sha: first, mustContain: "Goodbye" },
    },
    absence: {
      summary: "An absence, searched again",
      arguments: { absence: `gitpin-absence:${repository}@${first}?q=goodbye` },
    },
  },
  "pin.verify_set": {
    two: {
      summary: "Two citations",
      arguments: {
        items: [
          { repository, sourcePath: greet, sha: first, line: 1, lineEnd: 3 },
          { repository, sourcePath: "README.md", sha: first },
        ],
      },
    },
  },
  "pin.analyze": {
    gaps: {
      summary: "Which documents are missing",
      arguments: { operation: "gaps", repositories: [repository] },
    },
    brief: {
      summary: "A brief of cited facts",
      arguments: { operation: "brief", repositories: [repository], audience: "support" },
    },
  },
  "pin.inspect": {
    commits: { summary: "Latest commits", arguments: { repository, operation: "commits", limit: 5 } },
    manifest: { summary: "Package manifests", arguments: { repository, operation: "manifest" } },
  },
  "pin.compare": {
    two: { summary: "What changed between two commits", arguments: { repository, base: first, head } },
  },
  kin_status: {
    head: { summary: "The branch that HEAD stands for", arguments: { repository } },
  },
  kin_find_entities: {
    named: { summary: "By name, at HEAD", arguments: { repository, query: "greet" } },
    pinned: {
      summary: "Functions of one file at a commit",
      arguments: { repository, path: greet, kind: "function", sha: first },
    },
    blocked: { summary: "What policy forbids", arguments: { repository, path: ".env" } },
  },
  get_entity_source: {
    named: {
      summary: "By its name, with the base for an edit",
      arguments: { repository, entity_id: "greet" },
    },
    pinned: {
      summary: "In its file, at a commit",
      arguments: { repository, entity_id: "greet", path: greet, sha: first },
    },
    missing: { summary: "A name that nothing bears", arguments: { repository, entity_id: "nobody" } },
  },
  kin_mutate: {
    rehearsed: {
      summary: "An edit as it would be committed",
      arguments: {
        operations: [
          {
            verb: "patch",
            target: GREET_BASE.entity_id,
            description: "Greets more warmly.",
            payload: {
              EntitySourcePatch: {
                source_base: GREET_BASE,
                edits: [{ old_text: '"Hello, "', new_text: '"Welcome, "' }],
              },
            },
          },
        ],
        dry_run: true,
      },
    },
  },
};
