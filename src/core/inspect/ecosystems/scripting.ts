/** Ruby, PHP, Perl, Lua, R and Julia. */

import { parseJson } from "../formats/json.ts";
import { fieldOf } from "../formats/lines.ts";
import { stringsOf, valueAt } from "../formats/parsed.ts";
import { parseToml } from "../formats/toml.ts";
import {
  facts,
  from,
  type ManifestFacts,
  type ManifestRule,
  nothing,
  program,
  scriptsOf,
  stated,
  unread,
} from "../manifest-form.ts";

const composer = (value: unknown): ManifestFacts =>
  facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"), {
    scripts: scriptsOf(valueAt(value, "scripts"), "scripts"),
  });

const julia = (value: unknown): ManifestFacts =>
  facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"), {
    workspaces: stringsOf(valueAt(value, "workspace", "projects")),
  });

/** Many a file is called DESCRIPTION; R's has `Package:`. */
const description = (text: string): ManifestFacts => {
  const name = fieldOf(text, "package");
  if (name === undefined)
    return nothing("it has no `Package:` field, so it is not a description of an R package");
  return facts(stated(name, "name"), stated(fieldOf(text, "version"), "version"));
};

export const scripting: readonly ManifestRule[] = [
  { ecosystem: "ruby", names: ["Gemfile", "gems.rb"], pattern: /\.gemspec$/, read: program("Ruby") },
  { ecosystem: "php", names: ["composer.json"], read: from(parseJson, composer) },
  { ecosystem: "perl", names: ["cpanfile", "Makefile.PL", "Build.PL"], read: program("Perl") },
  { ecosystem: "perl", names: ["dist.ini"], read: unread("Dist::Zilla's configuration") },
  { ecosystem: "lua", pattern: /\.rockspec$/, read: program("Lua") },
  { ecosystem: "r", names: ["DESCRIPTION"], read: description },
  { ecosystem: "julia", names: ["Project.toml", "JuliaProject.toml"], read: from(parseToml, julia) },
];
