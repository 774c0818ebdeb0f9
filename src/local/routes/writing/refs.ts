// Making, moving and deleting refs. A move without force is a fast-forward, and not a comparison with where the caller
// believes the ref to be: that is GitHub's rule, and its weakness (the GraphQL mutation `updateRefs` compares).
import type { Ref } from "../../git/repository.ts";
import { type Answer, ApiError, json } from "../../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../../http/exchange.ts";
import { flag, readMembers, requiredString } from "../../http/json-body.ts";
import { encodePath, linksOf } from "../../shapes/links.ts";
import { refShape } from "../refs.ts";
import { assertRefName, changeRefs, type RefChange, type Refusal, workflowText } from "./ref-changes.ts";
import { assertNotEmpty, isSha, typeAt } from "./target.ts";

const DOCS = "https://docs.github.com/rest/git/refs";
/** How often a move is tried when others move the ref at the same moment. */
const TRIES = 10;

function worded(exchange: RepositoryExchange, refusal: Refusal, change: RefChange): ApiError {
  switch (refusal.kind) {
    case "not-fast-forward":
      return new ApiError(422, "Update is not a fast forward");
    case "workflow":
      return new ApiError(422, workflowText(exchange, refusal.path));
    case "refused":
      return new ApiError(422, `Reference update failed: ${refusal.words}`);
    case "protected":
      if (change.from === null) return new ApiError(422, "Reference update failed");
      return new ApiError(
        422,
        `Repository rule violations found\n\n${change.to === null ? "Cannot delete this branch" : "Changes must be made through a pull request."}\n\n`,
      );
    case "raced":
      return new ApiError(422, "Reference update failed");
  }
}

async function assertObject(exchange: RepositoryExchange, sha: string): Promise<void> {
  if (!isSha(sha)) {
    throw new ApiError(422, "The sha parameter must be exactly 40 characters and contain only [0-9a-f].");
  }
  if ((await typeAt(exchange, sha)) === null) throw new ApiError(422, "Object does not exist");
}

async function shapeOf(exchange: RepositoryExchange, ref: Ref): Promise<Record<string, unknown>> {
  const shape = await refShape(exchange, ref);
  if (shape === null) throw new Error(`the object of ${ref.name} cannot be read`);
  return shape;
}

async function create(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  const members = await readMembers(exchange);
  const name = requiredString(members, "ref");
  const sha = requiredString(members, "sha");
  assertRefName(name);
  await assertObject(exchange, sha);
  const exists = (): ApiError => new ApiError(422, "Reference already exists");
  if ((await exchange.repository.git.firstRef(name)) !== null) throw exists();
  const change = { name, from: null, to: sha, force: false };
  const refusal = await changeRefs(exchange, [change]);
  if (refusal?.kind === "raced") throw exists();
  if (refusal !== null) throw worded(exchange, refusal, change);
  const location = linksOf(exchange).api(`/git/${encodePath(name)}`);
  return json(await shapeOf(exchange, { name, sha }), { location }, 201);
}

/** Tries until nobody else moves the ref between looking and moving. */
async function change(
  exchange: RepositoryExchange,
  name: string,
  to: string | null,
  force: boolean,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const ref = await exchange.repository.git.firstRef(name);
    if (ref === null) throw new ApiError(422, "Reference does not exist");
    const wanted = { name, from: ref.sha, to, force };
    const refusal = await changeRefs(exchange, [wanted]);
    if (refusal === null) return;
    if (refusal.kind !== "raced") throw worded(exchange, refusal, wanted);
  }
  throw new ApiError(422, "Reference update failed");
}

async function update(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  const members = await readMembers(exchange);
  const sha = requiredString(members, "sha");
  const force = flag(members, "force");
  const name = `refs/${exchange.params.ref ?? ""}`;
  await assertObject(exchange, sha);
  await change(exchange, name, sha, force);
  return json(await shapeOf(exchange, { name, sha }));
}

async function remove(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  await change(exchange, `refs/${exchange.params.ref ?? ""}`, null, true);
  return { status: 204, headers: {}, body: null };
}

export const refWrites: RepositoryRoute[] = [
  {
    method: "POST",
    pattern: "/git/refs",
    docs: `${DOCS}#create-a-reference`,
    writes: "contents",
    run: create,
  },
  {
    method: "PATCH",
    pattern: "/git/refs/{ref+}",
    docs: `${DOCS}#update-a-reference`,
    writes: "contents",
    run: update,
  },
  {
    method: "DELETE",
    pattern: "/git/refs/{ref+}",
    docs: `${DOCS}#delete-a-reference`,
    writes: "contents",
    run: remove,
  },
];
