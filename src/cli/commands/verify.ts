/** `gitpin verify`: one citation, in its parts or as a handle or cite. Exit 0 only for the verdict ok. */
import { Command, InvalidArgumentError } from "commander";
import { parseCitation } from "../../core/citation/parse.ts";
import { GitpinError } from "../../errors.ts";
import { verificationReport } from "../../schema/verification.ts";
import { reportText } from "../../tools/text.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connect } from "../connection.ts";
import type { CommandContext } from "../output.ts";

interface Options {
  repository?: string;
  path?: string;
  sha?: string;
  line?: { start: number; end: number };
  handle?: string;
  cite?: string;
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
    .description("Re-check one citation at its commit and at HEAD.")
    .option("--repository <name>", "registry name")
    .option("--path <path>", "path from the repository root")
    .option("--sha <hex>", "commit, 7 to 40 hex digits")
    .option("--line <n[-m]>", "cited line or range", parseLines)
    .option("--handle <handle>", "gitpin:repo@sha:path[:line[-end]], instead of the parts")
    .option("--cite <citation>", "'repo/path:line @ sha', instead of the parts")
    .option("--must-contain <text>", "text that must stand there, exactly")
    .option("--content-sha256 <hex>", "SHA-256 that the cited bytes must have")
    .option("--json", "print the whole report as JSON")
    .action(async (options: Options) => {
      const connection = await connect(context.environment);
      const input = { ...placeOf(options), ...demandsOf(options) };
      const report = checkedAnswer(verificationReport, await connection.call("pin.verify", input));
      context.output.out(options.json ? `${JSON.stringify(report, null, 2)}\n` : `${reportText(report)}\n`);
      if (report.status !== "ok") context.exit(1);
    });
}

const demandsOf = ({ mustContain, contentSha256 }: Options) => ({
  ...(mustContain === undefined ? {} : { mustContain }),
  ...(contentSha256 === undefined ? {} : { contentSha256 }),
});

function placeOf({ repository, path, sha, line, handle, cite }: Options) {
  const parts = [repository, path, sha].filter((part) => part !== undefined).length;
  const ways = [handle, cite].filter((way) => way !== undefined).length + (parts > 0 ? 1 : 0);
  const citation = handle ?? cite;
  if (
    ways !== 1 ||
    (citation === undefined && parts !== 3) ||
    (citation !== undefined && line !== undefined)
  ) {
    throw new GitpinError(
      "invalid_argument",
      "The citation must be given in exactly one way.",
      "Give --handle, or --cite, or all of --repository, --path and --sha (with --line where lines are cited).",
    );
  }
  if (citation !== undefined) {
    const cited = parseCitation(citation);
    return {
      repository: cited.repository,
      sourcePath: cited.sourcePath,
      sha: cited.sha,
      ...(cited.line === null ? {} : { line: cited.line, lineEnd: cited.lineEnd ?? cited.line }),
    };
  }
  return {
    repository,
    sourcePath: path,
    sha,
    ...(line === undefined ? {} : { line: line.start, lineEnd: line.end }),
  };
}
