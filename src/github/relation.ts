/**
 * How two commits stand to each other: GitHub's comparison without its files. Kept for ever: it never changes.
 * "No common ancestor" is told by a 404, as "no such commit" is: that one is kept in memory only.
 */
import * as z from "zod";
import { type Key, relationKey } from "../cache/keys.ts";
import { seal, unseal } from "../cache/sealed.ts";
import { type Form, readThrough } from "../cache/tiered.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import type { Relation } from "../ports/repository-history.ts";
import { relationAnswer } from "./answers.ts";
import { unexpected } from "./failure.ts";
import { getJson, type Repository } from "./repository.ts";

type Known = Relation | "unrelated";

const stored = z.object({ ahead: z.number(), behind: z.number(), mergeBase: z.string() });

const relationForm: Form<Known> = {
  decode(key, bytes) {
    const text = unseal(key, bytes);
    return text === null ? null : (stored.safeParse(JSON.parse(text)).data ?? null);
  },
  encode: (key, relation) => seal(key, JSON.stringify(relation)),
  weigh: () => 150,
};

/** Both are commits of the repository. Null: their histories have nothing in common. */
export async function readRelation(
  repository: Repository,
  base: ObjectId,
  head: ObjectId,
): Promise<Relation | null> {
  if (base === head) return { ahead: 0, behind: 0, mergeBase: base };
  const { tiers } = repository;
  const key: Key<Known> = relationKey(repository.keys, base, head);
  const known = await readThrough(tiers, key, relationForm, async () => {
    const what = "the comparison of two commits";
    // The second page of a comparison carries no files; its counts are those of the whole.
    const path = `/compare/${base}...${head}?per_page=1&page=2`;
    const answer = await getJson(repository, { path, what }, relationAnswer);
    if (answer.status === 404) {
      await repository.confirm();
      tiers.memory.set(key, "unrelated", 10);
      return null;
    }
    if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status}`);
    return answer.data;
  });
  return known === "unrelated" ? null : known;
}
