/**
 * `gitpin verify`: one citation, in its parts or as a handle or cite, one absence, or all the evidence of a saved file.
 * Exit 0 only if every verdict is ok, 1 for any other verdict, 2 when something could not be checked.
 */
import { Command, InvalidArgumentError } from "commander";
import { parseAbsence } from "../../core/citation/absence.ts";
import { parseCitation } from "../../core/citation/parse.ts";
import { GitpinError } from "../../errors.ts";
import { type VerifyInput, verificationReport, verifyAnyInput } from "../../schema/verification.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { reportText } from "../../tools/text.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connect } from "../connection.ts";
import type { CommandContext } from "../output.ts";
import { verifySaved } from "../verify-saved.ts";

interface Options {
  repository?: string;
  path?: string;
  sha?: string;
  line?: { start: number; end: number };
  handle?: string;
  cite?: string;
  absence?: string;
  fromPack?: string;
  mustContain?: string;
  contentSha256?: string;
  json?: boolean;
}

/** `12` or `12-40`, 1-based and inclusive. */
export function parseLines(text: string): { start: number; end: number } {
  const match = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text);
  if (match === null) throw new InvalidArgumentError("give a line as 12, or a range as 12-40.");
  const start = Number(match[1]);
  const end = match[2] === undefined ? start : Number(match[2]);
  if (end < start) throw new InvalidArgumentError("the last line is before the first.");
  return { start, end };
}

export function verifyCommand(context: CommandContext): Command {
  return new Command("verify")
    .description("Re-check one citation, or saved evidence, at its commit and at HEAD.")
    .option("--repository <name>", "registry name")
    .option("--path <path>", "path from the repository root")
    .option("--sha <hex>", "commit, 7 to 40 hex digits")
    .option("--line <n[-m]>", "cited line or range", parseLines)
    .option("--handle <handle>", "gitpin:repo@sha:path[:line[-end]], instead of the parts")
    .option("--cite <citation>", "'repo/path:line @ sha', instead of the parts")
    .option("--absence <handle>", "gitpin-absence:repo@sha?q=..., of a search that found nothing")
    .option(
      "--from-pack <file>",
      "saved evidence pack, set, report, or an array of them; - for standard input",
    )
    .option("--must-contain <text>", "text that must stand there, exactly")
    .option("--content-sha256 <hex>", "SHA-256 that the cited bytes must have")
    .option("--json", "print the whole report as JSON")
    .action(async (options: Options) => {
      const place = placeOf(options);
      if (place === "saved") return await verifySaved(context, options.fromPack ?? "", options.json ?? false);
      const input = checkArguments(verifyAnyInput, { ...place, ...demandsOf(options) });
      const connection = await connect(context.environment);
      const report = checkedAnswer(verificationReport, await connection.call("pin.verify", input));
      context.output.out(options.json ? `${JSON.stringify(report, null, 2)}\n` : `${reportText(report)}\n`);
      if (report.status !== "ok") context.exit(1);
    });
}

const demandsOf = ({ mustContain, contentSha256 }: Options): Partial<VerifyInput> => ({
  ...(mustContain === undefined ? {} : { mustContain }),
  ...(contentSha256 === undefined ? {} : { contentSha256 }),
});

const oneWay = (message: string): GitpinError =>
  new GitpinError(
    "invalid_argument",
    message,
    "Give --handle, or --cite, or --absence, or --from-pack, or all of --repository, --path and --sha (with --line where lines are cited).",
    { field: "citation" },
  );

function placeOf(options: Options): Record<string, unknown> | "saved" {
  const { repository, path, sha, line, handle, cite, absence, fromPack } = options;
  const parts = [repository, path, sha].filter((part) => part !== undefined).length;
  const ways =
    [handle, cite, absence, fromPack].filter((way) => way !== undefined).length + (parts > 0 ? 1 : 0);
  if (ways !== 1) throw oneWay("The citation must be given in exactly one way.");
  if (fromPack !== undefined) {
    if (line !== undefined || Object.keys(demandsOf(options)).length > 0) {
      throw oneWay("Saved evidence brings its lines, text and hash along.");
    }
    return "saved";
  }
  if (absence !== undefined) {
    if (line !== undefined || Object.keys(demandsOf(options)).length > 0) {
      throw oneWay("An absence names its whole search.");
    }
    const { repository: of, sha: at } = parseAbsence(absence);
    return { repository: of, sha: at, absence };
  }
  const citation = handle ?? cite;
  if (citation === undefined) {
    if (parts !== 3) throw oneWay("--repository, --path and --sha belong together.");
    const lines = line === undefined ? {} : { line: line.start, lineEnd: line.end };
    return { repository, sourcePath: path, sha, ...lines };
  }
  if (line !== undefined) throw oneWay("A citation brings its lines along.");
  const form = handle === undefined ? "cite" : "handle";
  const cited = parseCitation(citation, `--${form}`);
  if (cited.form !== form) throw oneWay(`What --${form} got is a ${cited.form}.`);
  return {
    repository: cited.repository,
    sourcePath: cited.sourcePath,
    sha: cited.sha,
    ...(cited.line === null ? {} : { line: cited.line, lineEnd: cited.lineEnd ?? cited.line }),
  };
}
