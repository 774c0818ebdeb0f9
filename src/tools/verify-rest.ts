/** REST's further ways to name a place for `pin.verify`: `cite` or `handle` instead of repository, path, sha and lines. */
import * as z from "zod";
import { parseAbsence } from "../core/citation/absence.ts";
import { parseCitation } from "../core/citation/parse.ts";
import { GitpinError } from "../errors.ts";
import { verifyAnyInput } from "../schema/verification.ts";
import type { RestForm } from "./tool.ts";

const citationText = z.string().min(1).max(20_000);

export const verifyRestInput = verifyAnyInput.partial({ repository: true, sha: true }).extend({
  cite: citationText.optional().describe("`repo/path:line @ sha`, instead of the parts."),
  handle: citationText.optional().describe("`gitpin:repo@sha:path[:line[-end]]`, instead of the parts."),
});

const PARTS = ["repository", "sourcePath", "sha", "line", "lineEnd"] as const;
const NEEDED = ["repository", "sourcePath", "sha"] as const;

const oneWay = (field: string, message: string): GitpinError =>
  new GitpinError(
    "invalid_argument",
    message,
    "Give handle, or cite, or all of repository, sourcePath and sha (with line and lineEnd where lines are cited).",
    { field },
  );

export const verifyRest: RestForm<typeof verifyAnyInput, typeof verifyRestInput> = {
  input: verifyRestInput,
  toInput({ cite, handle, ...given }) {
    if (given.absence !== undefined) return ofAbsence({ ...given, absence: given.absence }, handle ?? cite);
    const citation = handle ?? cite;
    if (citation === undefined) {
      const { repository, sourcePath, sha, ...rest } = given;
      if (repository !== undefined && sourcePath !== undefined && sha !== undefined) {
        return { repository, sourcePath, sha, ...rest };
      }
      const missing = NEEDED.filter((name) => given[name] === undefined);
      throw oneWay(
        missing[0] ?? "repository",
        `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing.`,
      );
    }
    const field = handle === undefined ? "cite" : "handle";
    if (cite !== undefined && handle !== undefined)
      throw oneWay("cite", "cite and handle exclude each other.");
    const also = PARTS.find((name) => given[name] !== undefined);
    if (also !== undefined)
      throw oneWay(also, `${also} is given beside ${field}, which names the whole place.`);
    const { repository, sourcePath, sha, line, lineEnd } = parseCitation(citation, field);
    const { mustContain, contentSha256 } = given;
    return {
      repository,
      sourcePath,
      sha,
      ...(line === null ? {} : { line }),
      ...(lineEnd === null ? {} : { lineEnd }),
      ...(mustContain === undefined ? {} : { mustContain }),
      ...(contentSha256 === undefined ? {} : { contentSha256 }),
    };
  },
};

/** An absence names its repository and commit itself; whatever else is given is for the service to refuse. */
function ofAbsence(
  given: Omit<z.infer<typeof verifyRestInput>, "cite" | "handle"> & { absence: string },
  citation: string | undefined,
): z.input<typeof verifyAnyInput> {
  if (citation !== undefined) throw oneWay("absence", "absence excludes cite and handle.");
  const { repository, sha } = parseAbsence(given.absence);
  return { ...given, repository: given.repository ?? repository, sha: given.sha ?? sha };
}
