/** TOML 1.0 through `smol-toml`; the only file that knows the library. */
import { parse } from "smol-toml";
import { type Parsed, parsedBy } from "./parsed.ts";

export const parseToml = (text: string): Parsed =>
  parsedBy("TOML", () => parse(text, { integersAsBigInt: "asNeeded" }));
