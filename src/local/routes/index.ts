// Every route the host answers. A new family is a file beside this one and a line here.
import type { RepositoryRoute, Route } from "../http/exchange.ts";
import { appInstallation, apps } from "./apps.ts";
import { branches } from "./branches.ts";
import { commits } from "./commits.ts";
import { comparisons } from "./compare.ts";
import { contentsRoutes } from "./contents.ts";
import { archives } from "./downloads.ts";
import { gitObjects } from "./git-objects.ts";
import { graphql } from "./graphql.ts";
import { pullPages } from "./pull-pages.ts";
import { pulls } from "./pulls.ts";
import { rateLimit } from "./rate-limit.ts";
import { refs } from "./refs.ts";
import { repositories } from "./repositories.ts";
import { search } from "./search.ts";
import { trees } from "./trees.ts";
import { writes } from "./writing/index.ts";

export const ROUTES: Route[] = [...rateLimit, ...apps, ...search, ...graphql, ...pullPages];

export const REPOSITORY_ROUTES: RepositoryRoute[] = [
  ...repositories,
  ...appInstallation,
  // Before commits, whose names take in all that follows.
  ...branches,
  ...commits,
  ...comparisons,
  ...refs,
  ...gitObjects,
  ...trees,
  ...contentsRoutes,
  ...archives,
  ...pulls,
  ...writes,
];
