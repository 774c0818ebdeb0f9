/** The citation on every candidate, pack, slice, doc and report. Built by `core/citation/`, never by a transport. */
import * as z from "zod";
import { fullSha } from "./common.ts";

export const provenance = z.enum(["git-head", "git-commit", "blocked", "missing", "unavailable"]);

export const citation = z.object({
  cite: z.string().describe("`repo/path:line @ fullSha`, special characters of the path percent-encoded."),
  handle: z.string().describe("`gitpin:repo@fullSha:path[:line[-end]]`; pin_verify's durable address."),
  repoAtSha: z.string().describe("`repo@fullSha`"),
  verify: z
    .object({
      gitShow: z.string().describe("Prints the cited bytes, in a clone of the repository."),
      sha256: z.string().describe("Prints the SHA-256 of the cited bytes, in a clone of the repository."),
      gitpinCli: z.string(),
      curl: z.string().describe("Exit 0 only if the verdict is ok."),
    })
    .describe("Commands for a POSIX shell, quoted, ready to paste."),
  permalink: z
    .string()
    .nullable()
    .describe(
      "The hosting site's page of that path and lines at that commit; this service's for a local clone.",
    ),
  repository: z.string(),
  sourcePath: z.string(),
  line: z.number().int().nullable(),
  lineEnd: z.number().int().nullable(),
  commitSha: fullSha,
  blobSha: fullSha.nullable(),
  provenance,
});

export type Citation = z.infer<typeof citation>;
