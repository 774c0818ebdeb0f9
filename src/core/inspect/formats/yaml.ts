/**
 * YAML 1.2 through `yaml`; the only file that knows the library. Every scalar stays the text it is written as
 * (the failsafe schema), since `version: 1.10` is a version and no number.
 */
import { parse } from "yaml";
import { type Parsed, parsedBy } from "./parsed.ts";

export const parseYaml = (text: string): Parsed =>
  parsedBy("YAML", () => parse(text, { schema: "failsafe", logLevel: "error", maxAliasCount: 100 }));
