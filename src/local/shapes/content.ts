// GitHub's forms of "contents": file, directory entry, symlink and submodule, all with the same set of links.
import { encodePath, type Links } from "./links.ts";

export type ContentType = "file" | "dir" | "symlink" | "submodule";

export interface ContentFacts {
  type: ContentType;
  path: string;
  sha: string;
  size: number;
  /** What links say after `?ref=`. */
  ref: string;
  downloadUrl: string | null;
  /** For submodules: the address out of `.gitmodules`. */
  submoduleUrl?: string | null;
}

const ON_GITHUB =
  /^(?:https?:\/\/|git:\/\/|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** Web and API addresses of a submodule's commit; null off GitHub. */
function submoduleLinks(links: Links, facts: ContentFacts): { git: string | null; html: string | null } {
  const name = ON_GITHUB.exec(facts.submoduleUrl ?? "")?.[1];
  if (name === undefined) return { git: null, html: null };
  return {
    git: `${links.base}/repos/${name}/git/trees/${facts.sha}`,
    html: `${links.base}/${name}/tree/${facts.sha}`,
  };
}

function linksFor(links: Links, facts: ContentFacts): { git: string | null; html: string | null } {
  if (facts.type === "submodule") return submoduleLinks(links, facts);
  const [api, web] = facts.type === "dir" ? ["trees", "tree"] : ["blobs", "blob"];
  const path = facts.path === "" ? "" : `/${encodePath(facts.path)}`;
  return {
    git: links.api(`/git/${api}/${facts.sha}`),
    html: links.web(`/${web}/${encodePath(facts.ref)}${path}`),
  };
}

/** What all forms have in common. `shownType` is for listings, where a submodule may be called a file. */
export function contentShape(
  links: Links,
  facts: ContentFacts,
  shownType: ContentType = facts.type,
): Record<string, unknown> {
  const { git, html } = linksFor(links, facts);
  const self = links.contents(facts.path, facts.ref);
  return {
    name: facts.path.slice(facts.path.lastIndexOf("/") + 1),
    path: facts.path,
    sha: facts.sha,
    size: facts.size,
    url: self,
    html_url: html,
    git_url: git,
    download_url: facts.downloadUrl,
    type: shownType,
    _links: { self, git, html },
  };
}
