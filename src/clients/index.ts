/** All clients that `gitpin init` knows, in the order they are listed. */
import type { Client } from "./client.ts";
import { continueDev, cursor, vsCode, windsurf, zed } from "./editors.ts";
import { claudeAi, claudeDesktop, generic } from "./others.ts";
import { claudeCode, codex, geminiCli } from "./terminals.ts";

export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  claudeAi,
  codex,
  cursor,
  vsCode,
  windsurf,
  zed,
  continueDev,
  geminiCli,
  generic,
];
