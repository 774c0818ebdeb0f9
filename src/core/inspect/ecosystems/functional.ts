/** Haskell, OCaml, Elm, and the languages on the BEAM. */
import { parseJson } from "../formats/json.ts";
import { fieldOf } from "../formats/lines.ts";
import { stringsOf, valueAt } from "../formats/parsed.ts";
import { parseToml } from "../formats/toml.ts";
import { parseYaml } from "../formats/yaml.ts";
import { facts, from, type ManifestRule, nameless, program, stated, unread } from "../manifest-form.ts";

const nameAndVersion = (value: unknown) =>
  facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"));

export const functional: readonly ManifestRule[] = [
  {
    ecosystem: "haskell",
    pattern: /\.cabal$/,
    read: (text) => facts(stated(fieldOf(text, "name"), "name"), stated(fieldOf(text, "version"), "version")),
  },
  { ecosystem: "haskell", names: ["cabal.project"], read: nameless },
  { ecosystem: "haskell", names: ["package.yaml"], read: from(parseYaml, nameAndVersion) },
  {
    ecosystem: "haskell",
    names: ["stack.yaml"],
    read: from(parseYaml, (value) => ({ ...nameless(), workspaces: stringsOf(valueAt(value, "packages")) })),
  },
  {
    ecosystem: "ocaml",
    names: ["dune-project"],
    pattern: /\.opam$/,
    read: unread("the OCaml tools' notation"),
  },
  { ecosystem: "elm", names: ["elm.json"], read: from(parseJson, nameAndVersion) },
  { ecosystem: "elixir", names: ["mix.exs"], read: program("Elixir") },
  { ecosystem: "erlang", names: ["rebar.config"], read: unread("Erlang's term notation") },
  { ecosystem: "gleam", names: ["gleam.toml"], read: from(parseToml, nameAndVersion) },
];
