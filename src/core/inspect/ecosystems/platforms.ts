/** Apple platforms, Dart and Flutter, and what packages for running: containers, Nix, Helm. */
import { stringsOf, valueAt } from "../formats/parsed.ts";
import { parseYaml } from "../formats/yaml.ts";
import {
  facts,
  from,
  type ManifestFacts,
  type ManifestRule,
  nameless,
  program,
  stated,
} from "../manifest-form.ts";

const nameAndVersion = (value: unknown, workspaces: string[] | null = null): ManifestFacts =>
  facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version"), { workspaces });

export const platforms: readonly ManifestRule[] = [
  { ecosystem: "swift", names: ["Package.swift"], read: program("Swift") },
  { ecosystem: "cocoapods", names: ["Podfile"], pattern: /\.podspec$/, read: program("Ruby") },
  { ecosystem: "carthage", names: ["Cartfile"], read: nameless },
  {
    ecosystem: "dart",
    names: ["pubspec.yaml"],
    read: from(parseYaml, (value) => nameAndVersion(value, stringsOf(valueAt(value, "workspace")))),
  },
  {
    ecosystem: "container",
    names: ["Dockerfile", "Containerfile"],
    pattern: /^Dockerfile\.[\w.-]+$|\.[Dd]ockerfile$/,
    read: nameless,
  },
  { ecosystem: "nix", names: ["flake.nix", "default.nix", "shell.nix"], read: program("Nix") },
  { ecosystem: "helm", names: ["Chart.yaml"], read: from(parseYaml, (value) => nameAndVersion(value)) },
];
