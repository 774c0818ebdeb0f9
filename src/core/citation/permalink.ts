/**
 * The hosting site's page of a path and lines at a commit, as GitHub spells it. Each segment is percent-encoded.
 * A submodule has no page of its own in this repository: the link goes to the directory that names its commit.
 */
import type { EntryKind } from "../git/tree-entry.ts";
import type { CitedPlace } from "./cite.ts";

// Files that GitHub shows rendered; only their plain view has line anchors.
const RENDERED =
  /\.(?:md|mdx|markdown|mdown|mkdn|mkd|rst|adoc|asciidoc|asc|org|textile|rdoc|creole|mediawiki|wiki|pod|ipynb|csv|tsv|svg|geojson|topojson)$/i;

/** `webUrl` is the repository's web page without a final slash, e.g. https://github.com/owner/name. */
export function permalink(webUrl: string, place: CitedPlace, kind: EntryKind | null): string {
  const { sha, sourcePath, line, lineEnd } = place;
  if (kind === "directory" || sourcePath === "") return treePage(webUrl, sha, sourcePath);
  if (kind === "submodule") {
    return treePage(webUrl, sha, sourcePath.slice(0, Math.max(0, sourcePath.lastIndexOf("/"))));
  }
  const page = `${webUrl}/blob/${sha}/${urlPath(sourcePath)}`;
  if (line === null) return page;
  const anchor = lineEnd === null || lineEnd === line ? `#L${line}` : `#L${line}-L${lineEnd}`;
  return page + (RENDERED.test(sourcePath) ? "?plain=1" : "") + anchor;
}

const treePage = (webUrl: string, sha: string, path: string): string =>
  path === "" ? `${webUrl}/tree/${sha}` : `${webUrl}/tree/${sha}/${urlPath(path)}`;

// Beyond encodeURIComponent, so that the link also survives Markdown and quotes.
const urlPath = (path: string): string =>
  path
    .split("/")
    .map((segment) =>
      encodeURIComponent(segment).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
