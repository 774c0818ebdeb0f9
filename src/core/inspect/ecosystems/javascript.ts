/** JavaScript and TypeScript: npm and its workspaces, Deno, JSR, Bun, Bower, monorepo runners, Cloudflare Workers. */
import { parseJson, parseJsonc } from "../formats/json.ts";
import { stringsOf, valueAt } from "../formats/parsed.ts";
import { parseToml } from "../formats/toml.ts";
import { parseYaml } from "../formats/yaml.ts";
import {
  facts,
  from,
  type ManifestFacts,
  type ManifestRule,
  nameless,
  scriptsOf,
  stated,
} from "../manifest-form.ts";

const npm = (value: unknown): ManifestFacts => {
  const workspaces = valueAt(value, "workspaces");
  return facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"), {
    scripts: scriptsOf(valueAt(value, "scripts"), "scripts"),
    workspaces: stringsOf(workspaces) ?? stringsOf(valueAt(workspaces, "packages")),
  });
};

const deno = (value: unknown): ManifestFacts => {
  const workspace = valueAt(value, "workspace");
  return facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"), {
    scripts: scriptsOf(valueAt(value, "tasks"), "tasks"),
    workspaces: stringsOf(workspace) ?? stringsOf(valueAt(workspace, "members")),
  });
};

const worker = (value: unknown): ManifestFacts =>
  facts(stated(valueAt(value, "name"), "name"), { why: "the format states no version" });

/** Files that configure packages and name none: only their list of packages is read. */
const packagesOnly = (value: unknown, list: unknown): ManifestFacts =>
  facts({ why: "the format states no name" }, stated(valueAt(value, "version"), "version"), {
    workspaces: stringsOf(list),
  });

export const javascript: readonly ManifestRule[] = [
  { ecosystem: "npm", names: ["package.json"], read: from(parseJson, npm) },
  {
    ecosystem: "npm",
    names: ["pnpm-workspace.yaml"],
    read: from(parseYaml, (value) => packagesOnly(undefined, valueAt(value, "packages"))),
  },
  {
    ecosystem: "npm",
    names: ["lerna.json"],
    read: from(parseJson, (value) => packagesOnly(value, valueAt(value, "packages"))),
  },
  {
    ecosystem: "npm",
    names: ["rush.json"],
    read: from(parseJsonc, (value) => {
      const projects = valueAt(value, "projects");
      const folders = Array.isArray(projects) ? projects.map((one) => valueAt(one, "projectFolder")) : null;
      return packagesOnly(undefined, folders);
    }),
  },
  { ecosystem: "npm", names: ["nx.json", "turbo.json", "turbo.jsonc"], read: nameless },
  { ecosystem: "bun", names: ["bunfig.toml"], read: nameless },
  { ecosystem: "deno", names: ["deno.json", "deno.jsonc"], read: from(parseJsonc, deno) },
  { ecosystem: "jsr", names: ["jsr.json", "jsr.jsonc"], read: from(parseJsonc, deno) },
  { ecosystem: "bower", names: ["bower.json"], read: from(parseJson, npm) },
  { ecosystem: "cloudflare-workers", names: ["wrangler.toml"], read: from(parseToml, worker) },
  {
    ecosystem: "cloudflare-workers",
    names: ["wrangler.json", "wrangler.jsonc"],
    read: from(parseJsonc, worker),
  },
];
