/**
 * What of an earlier receipt is shown to who repeats its call: it holds content, and registry and policy may have closed some of it
 * since. As strict as reads: what a path holds that is denied now is left out, its name stays; where the policy cannot be read or
 * asked for, no name is shown either. Never fails: that the commit landed stays true.
 */
import type { Policy } from "../../core/policy/policy.ts";
import { mayWritePath } from "../../core/policy/writable.ts";
import { asGitpinError } from "../../errors.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";
import { openCommit } from "../commit-gate.ts";
import type { MutationWork } from "./work.ts";

/** `receipt`: of a commit. */
export async function shownNow(work: MutationWork, receipt: MutationResult): Promise<MutationResult> {
  const policy = await policyNow(work, receipt);
  if (typeof policy === "string") {
    const {
      modified_files: _,
      entities: __,
      entities_omitted: ___,
      created_entities: ____,
      ...rest
    } = receipt;
    return withoutContent(rest, policy);
  }
  const denied = (path: string): boolean => !policy.decide(path).allowed;
  const closed = (path: string): boolean => denied(path) || !mayWritePath(work.entry, path).allowed;
  const written = receipt.modified_files ?? [];
  if (!written.some(closed) && !otherPaths(receipt).some(denied)) return receipt;
  return withoutContent(
    withoutEntities(receipt, closed),
    "The registry or the repository's own policy closes some of these paths to this caller by now.",
  );
}

/** As reads ask it: the rules of the present HEAD and of the commit. In words why there is none. */
async function policyNow(
  { entry, reader }: MutationWork,
  { commitSha }: MutationResult,
): Promise<Policy | string> {
  if (commitSha === undefined) throw new TypeError("only a receipt is shown again");
  const place = { entry, reader, open: false, commitSha, pinned: true, head: null, reachable: true };
  try {
    const { outcome } = await openCommit(place);
    if (outcome.status === "ok") return outcome.policy;
    return `The commit landed. ${outcome.reason}`;
  } catch (thrown) {
    const { code, message } = asGitpinError(thrown);
    return `The commit landed; what of it may be shown could not be asked now (${code}: ${message}).`;
  }
}

/** Paths beside those written whose content stands in the receipt. */
const otherPaths = ({ references, earlier_faults: faults }: MutationResult): string[] => [
  ...(typeof references === "object" ? references.lines.map(({ path }) => path) : []),
  ...(faults?.places.map(({ path }) => path) ?? []),
];

/** `next` goes as well: it quotes a line of what was written. */
function withoutContent(
  { references: _, earlier_faults: __, next_omits: ___, ...rest }: MutationResult,
  reason: string,
): MutationResult {
  return { ...rest, diff: null, diff_omitted: { reason, command: null }, next: null };
}

function withoutEntities(receipt: MutationResult, closed: (path: string) => boolean): MutationResult {
  const { entities = [], entities_omitted: omitted = 0, created_entities: created = [] } = receipt;
  const hidden = new Set(entities.filter(({ path }) => closed(path)).map(({ id }) => id));
  if (hidden.size === 0) return receipt;
  const shown = entities.filter(({ path }) => !closed(path));
  return {
    ...receipt,
    entities: shown,
    entities_omitted: omitted + entities.length - shown.length,
    created_entities: created.filter(({ entity_id: id }) => !hidden.has(id)),
  };
}
