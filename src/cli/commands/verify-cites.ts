/**
 * `gitpin verify-cites`: every citation in notes, however many, in both forms. A gate: exit 0 only if all are ok.
 * `--fix` rewrites citations that only moved, each file whole or not at all.
 */
import { Command, Option } from "commander";
import { GitpinError } from "../../errors.ts";
import { connect } from "../connection.ts";
import { type NotesFormat, notesOutput } from "../notes-output.ts";
import { type CheckedNotes, checkNotes, exitOf, fixedNotes } from "../notes-report.ts";
import type { CommandContext } from "../output.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";

interface Options {
  file: string[];
  format: NotesFormat;
  fix?: boolean;
}

export function verifyCitesCommand(context: CommandContext): Command {
  return new Command("verify-cites")
    .description("Verify every citation in notes (Markdown or plain text).")
    .requiredOption(
      "--file <notes>",
      "file to check, repeatable; - for standard input",
      (path: string, before: string[] = []) => [...before, path],
    )
    .addOption(
      new Option("--format <form>", "how to report").choices(["text", "json", "github"]).default("text"),
    )
    .option("--fix", "rewrite citations whose lines only moved; all else stays byte for byte")
    .action(async ({ file, format, fix }: Options) => {
      if (fix && file.includes("-")) {
        throw new GitpinError(
          "invalid_argument",
          "Standard input cannot be rewritten.",
          "Give --fix the path of a file.",
          { field: "--file" },
        );
      }
      const files = [...new Set(file)].map((path) => ({ file: path, notes: readText(path, "--file") }));
      const checked = await checkNotes(files, () => connect(context.environment), context.sleep);
      const fixes = fix ? checked.flatMap(fixOf) : [];
      for (const { notes, text } of fixes) replaceFile(notes.file, notes.notes, text);
      for (const one of checked.flatMap(({ findings }) => findings)) context.exit(exitOf(one));
      const fixed = fixes.map(({ notes }) => notes.file);
      context.output.out(notesOutput(format, checked, fixed));
    });
}

/** All fixes are worked out before the first file is written. */
function fixOf(notes: CheckedNotes): { notes: CheckedNotes; text: string }[] {
  const text = fixedNotes(notes);
  return text === null ? [] : [{ notes, text }];
}
