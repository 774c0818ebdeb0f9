/**
 * Task files: Make, just, Task. Of a Makefile, targets with literal names are its scripts; commands are not read, since
 * variables, conditionals and includes decide them only when make runs.
 */
import type { ManifestScript } from "../../../schema/inspection.ts";
import { linesOf } from "../formats/lines.ts";
import { entriesOf, valueAt } from "../formats/parsed.ts";
import { parseYaml } from "../formats/yaml.ts";
import { from, type ManifestFacts, type ManifestRule, nothing, unread } from "../manifest-form.ts";

/** `target ...:` or `target ...::`, not `name := value` or `name::=value`. Names that start with a dot are directives. */
const RULE = /^([A-Za-z0-9_][A-Za-z0-9_./-]*(?:[ \t]+[A-Za-z0-9_][A-Za-z0-9_./-]*)*)[ \t]*::?(?![:=])/;

function makefile(text: string): ManifestFacts {
  const targets = new Set<string>();
  let defining = false;
  let continued = false;
  for (const line of linesOf(text)) {
    const own = !continued;
    continued = line.endsWith("\\");
    if (/^\s*endef\b/.test(line)) defining = false;
    else if (/^\s*define\b/.test(line)) defining = true;
    else if (own && !defining) for (const name of RULE.exec(line)?.[1]?.split(/\s+/) ?? []) targets.add(name);
  }
  const scripts = [...targets].map((name): ManifestScript => ({ name, command: null, origin: "targets" }));
  return {
    ...nothing("the format states neither name nor version; only targets with literal names are listed"),
    scripts,
  };
}

const taskfile = (value: unknown): ManifestFacts => ({
  ...nothing("the format states neither name nor version; commands are not read"),
  scripts: entriesOf(valueAt(value, "tasks")).map(([name]) => ({ name, command: null, origin: "tasks" })),
});

export const make: readonly ManifestRule[] = [
  { ecosystem: "make", names: ["Makefile", "makefile", "GNUmakefile"], read: makefile },
  { ecosystem: "just", names: ["justfile", "Justfile", ".justfile"], read: unread("just's language") },
  {
    ecosystem: "task",
    names: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
    read: from(parseYaml, taskfile),
  },
];
