/** `gitpin://catalog`: the catalog tool's default answer as a resource, for clients that attach resources. */
import { invoke } from "../../tools/invoke.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Resource } from "../resource.ts";

/** `catalog` is the `pin.catalog` tool; its first page is what the resource holds, `nextCursor` included. */
export const catalogResource = (catalog: Tool): Resource => ({
  uri: "gitpin://catalog",
  name: "catalog",
  title: "Catalog of repositories",
  description: "Repositories that can be cited, with HEAD and its freshness; the first page of pin_catalog.",
  mimeType: "application/json",
  read: async (call) => JSON.stringify(await invoke(catalog, {}, call)),
});
