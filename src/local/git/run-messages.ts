// What `run.ts` and the process it starts git in (`runner.mjs`) say to each other. `id` names one git process.
import type { Environment } from "./environment.ts";

/** `run`: start git; `inPieces`: tell its output as it comes. `end`: end it, whether or not it still runs. */
export type Ask =
  | {
      kind: "run";
      id: number;
      args: string[];
      cwd: string;
      env: Environment;
      input: string | Buffer;
      inPieces: boolean;
    }
  | { kind: "end"; id: number };

/** Pieces come before `ended`, whose `stdout` then is empty. `failed`: it did not start; `code` as Node has it. */
export type Tell =
  | { kind: "piece"; id: number; piece: Buffer }
  | { kind: "ended"; id: number; exitCode: number | null; stdout: Buffer; stderr: string }
  | { kind: "failed"; id: number; message: string; code?: string };
