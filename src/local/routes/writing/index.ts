// Every route that writes to a repository.
import type { RepositoryRoute } from "../../http/exchange.ts";
import { blobWrites } from "./blobs.ts";
import { commitWrites } from "./commits.ts";
import { contentWrites } from "./contents.ts";
import { refWrites } from "./refs.ts";
import { treeWrites } from "./trees.ts";

export const writes: RepositoryRoute[] = [
  ...blobWrites,
  ...treeWrites,
  ...commitWrites,
  ...refWrites,
  ...contentWrites,
];
