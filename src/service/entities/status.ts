/** `kin_status`: where a branch stands, the base for writing there, what this caller may change, and which languages there are. */
import { mintRepositoryBase } from "../../core/entity/bases.ts";
import type { LanguageSpec } from "../../core/entity/language/spec.ts";
import { languageOf } from "../../core/entity/language/table.ts";
import { envelopeOf } from "../../core/evidence/envelope.ts";
import { GitpinError } from "../../errors.ts";
import type { Call } from "../../ports/call.ts";
import type { Head, RepositoryReader } from "../../ports/repository-reader.ts";
import type { KinStatus, KinStatusInput } from "../../schema/entities.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import { nameCommit, openCommit } from "../commit-gate.ts";
import { nextTool } from "../next.ts";
import { registered } from "../registered.ts";
import type { ServicePorts } from "../service-ports.ts";
import type { OpenCommit } from "../tree-comparison.ts";
import { bareBranch, branchOf, writableTip } from "./branch.ts";
import { NO_PARSER } from "./parser.ts";
import { writableFor } from "./writable.ts";

export async function kinStatus(ports: ServicePorts, input: KinStatusInput, call: Call): Promise<KinStatus> {
  const { repository, branch: ref } = input;
  const entry = await registered(ports, call, repository);
  const named = await nameCommit(ports, call, { repository, ref }).catch((thrown: unknown) => {
    if (thrown instanceof GitpinError && thrown.code === "repository_empty") return null;
    throw thrown;
  });
  if (named === null) return await emptyStatus(ports, entry, input, call);
  const { reader, head } = named;
  const { outcome } = await openCommit(named);
  if (head === null || outcome.status === "missing") {
    throw new GitpinError(
      "upstream_unexpected",
      `GitHub named ${named.commitSha} as the tip and then did not have it.`,
      "Try again in a few seconds.",
    );
  }
  const branch = await branchOf(head, reader);
  const about = { ...frame(ports, entry, branch, call), ...tipOf(head) };
  if (outcome.status === "blocked")
    return { ...about, status: "blocked", reason: outcome.reason, head: null };
  const tip = await writableTip(head, reader);
  const { sha, tree } = outcome.commit;
  const place = { repository: entry.name, head: sha, tree };
  return {
    ...about,
    tree,
    ...("branch" in tip
      ? {
          repository_base: mintRepositoryBase({ ...place, branch: tip.branch }),
          repository_base_reason: null,
        }
      : { repository_base: null, repository_base_reason: tip.reason }),
    ...(await languagesIn(reader, outcome)),
    next: nextTool("kin_find_entities", call.spelling, { repository, ref }),
  };
}

/** Everything that holds whatever stands there. */
const frame = (ports: ServicePorts, entry: RepositoryEntry, branch: string | null, { caller }: Call) => ({
  ...envelopeOf("kin-status"),
  status: "ok" as const,
  reason: null,
  repository: entry.name,
  branch,
  head: null,
  tree: null,
  checked_at: null,
  stale: null,
  repository_base: null,
  repository_base_reason: "Nothing of this repository is served.",
  writable: writableFor(ports, caller, entry, branch),
  entities: { available: ports.entities !== null, reason: ports.entities === null ? NO_PARSER : null },
  languages: [],
  other_files: 0,
  languages_complete: true,
  next: null,
});

const tipOf = ({ sha, checkedAt, stale }: Head) => ({ head: sha, checked_at: checkedAt, stale });

/** A first commit is made on top of nothing: its base has no head. */
async function emptyStatus(
  ports: ServicePorts,
  entry: RepositoryEntry,
  { branch: asked }: KinStatusInput,
  call: Call,
): Promise<KinStatus> {
  const named = asked ?? entry.ref ?? (await ports.open(entry, call).identity()).defaultBranch;
  const branch = /^(refs\/)?tags\//.test(named) ? null : bareBranch(named);
  const place = { repository: entry.name, head: null, tree: null };
  return {
    ...frame(ports, entry, branch, call),
    status: "empty",
    reason: "The repository has no commit yet.",
    ...(branch === null
      ? { repository_base_reason: `${named} is no branch.` }
      : { repository_base: mintRepositoryBase({ ...place, branch }), repository_base_reason: null }),
  };
}

type Languages = Pick<KinStatus, "languages" | "other_files" | "languages_complete">;

async function languagesIn(
  reader: RepositoryReader,
  { commit, policy }: OpenCommit["outcome"],
): Promise<Languages> {
  const { entries, complete } = await reader.paths(commit);
  const counts = new Map<LanguageSpec, number>();
  let others = 0;
  for (const { path, kind } of entries) {
    if ((kind !== "file" && kind !== "executable") || !policy.decide(path).allowed) continue;
    const spec = languageOf(path);
    if (spec === null) others += 1;
    else counts.set(spec, (counts.get(spec) ?? 0) + 1);
  }
  const languages = [...counts].map(([{ name, title, extensions, editing }, files]) => ({
    language: name,
    title,
    extensions: [...extensions],
    files,
    reading: true as const,
    editing,
  }));
  languages.sort((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1));
  return { languages, other_files: others, languages_complete: complete };
}
