/** Python and conda. `setup.py` is a program; `setup.cfg` values that point elsewhere (`attr:`, `file:`) are not followed. */
import { iniValue } from "../formats/lines.ts";
import { entriesOf, stringsOf, valueAt } from "../formats/parsed.ts";
import { parseToml } from "../formats/toml.ts";
import { parseYaml } from "../formats/yaml.ts";
import {
  facts,
  from,
  type ManifestFacts,
  type ManifestRule,
  nameless,
  program,
  type Stated,
  scriptsOf,
  stated,
} from "../manifest-form.ts";

/** Tables of tasks and commands, each by the tool that defines it. */
const SCRIPT_TABLES: readonly (readonly string[])[] = [
  ["project", "scripts"],
  ["tool", "poetry", "scripts"],
  ["tool", "pdm", "scripts"],
  ["tool", "rye", "scripts"],
  ["tool", "poe", "tasks"],
  ["tool", "taskipy", "tasks"],
  ["tool", "pixi", "tasks"],
];

const pyproject = (value: unknown): ManifestFacts => {
  const dynamic = stringsOf(valueAt(value, "project", "dynamic")) ?? [];
  const read = (key: string): Stated => {
    const told = valueAt(value, "project", key) ?? valueAt(value, "tool", "poetry", key);
    if (told === undefined && dynamic.includes(key))
      return { why: `the ${key} is dynamic: the build works it out` };
    return stated(told, key);
  };
  const environments = entriesOf(valueAt(value, "tool", "hatch", "envs")).map(([name]) => name);
  const hatch = environments.map((name) => ["tool", "hatch", "envs", name, "scripts"]);
  const scripts = [...SCRIPT_TABLES, ...hatch].flatMap((keys) =>
    scriptsOf(valueAt(value, ...keys), keys.join("."), "cmd"),
  );
  return facts(read("name"), read("version"), {
    scripts,
    workspaces: stringsOf(valueAt(value, "tool", "uv", "workspace", "members")),
  });
};

const setupCfg = (text: string): ManifestFacts => {
  const read = (key: string): Stated => {
    const told = iniValue(text, "metadata", key);
    if (told !== undefined && /^(attr|file|find)\s*:/.test(told)) {
      return { why: `the ${key} stands elsewhere (${told.slice(0, 4)}:), and nothing is run to get it` };
    }
    return stated(told, key);
  };
  return facts(read("name"), read("version"));
};

const pixi = (value: unknown): ManifestFacts => {
  const table = valueAt(value, "workspace") ?? valueAt(value, "project");
  return facts(stated(valueAt(table, "name"), "name"), stated(valueAt(table, "version"), "version"), {
    scripts: scriptsOf(valueAt(value, "tasks"), "tasks", "cmd"),
  });
};

export const python: readonly ManifestRule[] = [
  { ecosystem: "python", names: ["pyproject.toml"], read: from(parseToml, pyproject) },
  { ecosystem: "python", names: ["setup.py"], read: program("Python") },
  { ecosystem: "python", names: ["setup.cfg"], read: setupCfg },
  { ecosystem: "python", pattern: /^requirements(?:[-_.][A-Za-z0-9._-]+)?\.(?:txt|in)$/, read: nameless },
  {
    ecosystem: "python",
    names: ["Pipfile"],
    read: from(parseToml, (value) => ({
      ...nameless(),
      scripts: scriptsOf(valueAt(value, "scripts"), "scripts"),
    })),
  },
  {
    ecosystem: "conda",
    names: ["environment.yml", "environment.yaml"],
    read: from(parseYaml, (value) =>
      facts(stated(valueAt(value, "name"), "name"), { why: "the format states no version" }),
    ),
  },
  { ecosystem: "conda", names: ["pixi.toml"], read: from(parseToml, pixi) },
];
