/**
 * `gitpin doctor`: is everything there that an answer needs? One line per check, with the way out of what fails.
 * Exit 0 when all is well, 1 when a repository cannot be read, 2 when the service, the registry or a credential fails.
 */
import { Command } from "commander";
import { printable } from "../../core/printable.ts";
import { chosenWay } from "../connection.ts";
import { diagnoseDirect } from "../doctor/direct.ts";
import type { Findings } from "../doctor/findings.ts";
import { diagnoseHosted } from "../doctor/hosted.ts";
import type { CommandContext } from "../output.ts";

export function doctorCommand(context: CommandContext): Command {
  return new Command("doctor")
    .description("Check the service or registry, the credentials, and every repository.")
    .option("--url <url>", "service to check, instead of GITPIN_URL")
    .action(async ({ url }: { url?: string }) => {
      const { GITPIN_REGISTRY: _, ...withoutRegistry } = context.environment;
      const environment = url === undefined ? context.environment : { ...withoutRegistry, GITPIN_URL: url };
      const way = chosenWay(environment);
      const say = (mark: string, text: string) =>
        context.output.out(`${mark.padEnd(5)} ${printable(text)}\n`);
      const findings: Findings = {
        ok: (text) => say("ok", text),
        note: (text) => say("note", text),
        fail(text, exit) {
          say("FAIL", text);
          context.exit(exit);
        },
      };
      if (way.kind === "hosted") await diagnoseHosted(way.address, findings);
      else await diagnoseDirect(way.registryPath, environment, findings);
    });
}
