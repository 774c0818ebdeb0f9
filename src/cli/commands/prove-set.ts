/**
 * `gitpin prove-set`: evidence for the places listed in a file, as one set. `--json` prints the set as it is saved and
 * verified later (`verify --from-pack`). Exit 1 when a pack is not ok or does not hold its claim's text, 2 when an item failed.
 */
import { Command } from "commander";
import { printable } from "../../core/printable.ts";
import { type EvidenceSet, evidenceSet, proveSetInput } from "../../schema/evidence-set.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { packText } from "../../tools/text.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connect } from "../connection.ts";
import type { CommandContext } from "../output.ts";
import { parseJson } from "../parse-json.ts";
import { readText } from "../read-text.ts";

export function proveSetCommand(context: CommandContext): Command {
  return new Command("prove-set")
    .description("Prove 1 to 8 places listed in a JSON file, as one evidence set.")
    .requiredOption(
      "--from-json <file>",
      'array of { "repository", "sourcePath", "lineStart"?, "lineEnd"?, "claim"?, "sha"? or "ref"? }; - for standard input',
    )
    .option("--json", "print the whole set as JSON, to be saved")
    .action(async ({ fromJson, json }: { fromJson: string; json?: boolean }) => {
      const input = itemsIn(readText(fromJson, "--from-json"), fromJson);
      const connection = await connect(context.environment);
      const set = checkedAnswer(evidenceSet, await connection.call("pin.prove_set", input));
      for (const item of set.items) context.exit(exitOf(item));
      context.output.out(json ? `${JSON.stringify(set, null, 2)}\n` : setText(set));
    });
}

/** A bare array, or the tool's own arguments. */
function itemsIn(text: string, file: string): Record<string, unknown> {
  const example =
    'Give an array such as [{"repository": "docs", "sourcePath": "README.md", "lineStart": 1}].';
  const value = parseJson(text, file, example, "--from-json");
  checkArguments(proveSetInput, Array.isArray(value) ? { items: value } : value);
  // As given, not as parsed: the service fills its own defaults.
  return Array.isArray(value) ? { items: value } : (value as Record<string, unknown>);
}

function exitOf({ pack }: EvidenceSet["items"][number]): 0 | 1 | 2 {
  if (pack === null) return 2;
  return pack.status === "ok" && pack.claimTextMatch !== false ? 0 : 1;
}

function setText({ status, evidenceSetId, items }: EvidenceSet): string {
  const lines = items.map(({ pack, error }, index) =>
    pack === null ? printable(`error  item ${index}  ${error?.code}: ${error?.message}`) : packText(pack),
  );
  return `${[...lines, `${status}  set ${evidenceSetId ?? "without evidence"}`].join("\n")}\n`;
}
