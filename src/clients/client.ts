/**
 * What is known of an MCP client: where it reads its servers, in which form, and how it takes a token. Facts of each
 * client's own documentation, looked up in November 2026; a client that changes its form changes one entry here.
 * No token is ever written into a file: an entry names an environment variable, or leaves a placeholder to fill in.
 */

/** The service as the client is to reach it. */
export interface Target {
  /** MCP address with underscore names, which every client takes. */
  url: string;
  /** The same with dotted names, for clients of one's own. */
  dottedUrl: string;
  /** Whether calls need `GITPIN_TOKEN`. */
  token: boolean;
  /** Only this machine reaches it. */
  loopback: boolean;
}

export interface JsonFile {
  format: "json" | "jsonc";
  /** Each value is put at its path; where an array stands, it is added to it. */
  insert: readonly { path: readonly string[]; value: unknown }[];
}

export interface TomlFile {
  format: "toml";
  table: readonly [string, string];
  values: Readonly<Record<string, string>>;
}

/** A file of its own, made when it is not there. */
export interface OwnFile {
  format: "yaml";
  text: string;
}

export interface Configuration {
  /** From the folder one works in, or from the home folder (`~/`). */
  path: string;
  content: JsonFile | TomlFile | OwnFile;
  /** Set when the entry cannot be used as it is written: why, and what to do. */
  unfinished: string | null;
}

export interface Client {
  /** Word for `--client`. */
  id: string;
  title: string;
  /** Null for a client that is set up in its own pages only. */
  configuration(target: Target, platform: string): Configuration | null;
  /** Commands that do the same, for a shell. */
  commands(target: Target): readonly string[];
  notes(target: Target): readonly string[];
}

export const SERVER_NAME = "gitpin";
export const PLACEHOLDER = "YOUR_GITPIN_TOKEN";

/** `headers` of an entry; nothing without a token. `reference`: how this client names an environment variable. */
export const headersFor = (target: Target, reference: string): { headers?: { Authorization: string } } =>
  target.token ? { headers: { Authorization: `Bearer ${reference}` } } : {};

export const setToken = (target: Target): readonly string[] =>
  target.token ? ["Set GITPIN_TOKEN in the environment that the client is started from."] : [];

/** How several clients write what they fill in themselves: `braces("env:X")` is `${env:X}`. */
export const braces = (inner: string): string => `\${${inner}}`;
