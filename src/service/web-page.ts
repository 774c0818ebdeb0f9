/** A repository's page at the hosting site, by the name it is registered under (the site follows renames by itself). */
import type { RepositoryEntry } from "../schema/registry.ts";
import type { ServicePorts } from "./service-ports.ts";

/** Without a final slash; null where the site has no pages. */
export const webPage = ({ webUrl }: ServicePorts, { owner, repo }: RepositoryEntry): string | null =>
  webUrl === null ? null : `${webUrl}/${owner}/${repo}`;
