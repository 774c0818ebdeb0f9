// The page that a pull request's `html_url` leads to: plain text for whoever follows the link of a receipt. A stand-in for
// GitHub's page, and no more: it says what is asked for and how the clone's owner merges it. Other pages there are none.
import { shellQuoted } from "../git/push-into.ts";
import { type Answer, bytes, notFound } from "../http/answer.ts";
import type { Exchange, Route } from "../http/exchange.ts";
import type { PullRequest } from "../pull-requests.ts";

/** For one line: what could move or hide a part of it is shown as U+FFFD. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");

const argument = (branch: string): string => (/^[\w./-]+$/.test(branch) ? branch : shellQuoted(branch));

function pageOf(fullName: string, pull: PullRequest): string {
  const { number, title, body, draft, head, base } = pull;
  return [
    `${fullName} #${number}: ${oneLine(title)}${draft ? " (draft)" : ""}`,
    `${oneLine(head)} -> ${oneLine(base)}`,
    "",
    ...(body === null || body.trim() === "" ? [] : [body.trimEnd(), ""]),
    "This page is a stand-in: nothing can be merged here. In the clone, merge with",
    `  git switch ${argument(base)}`,
    `  git merge ${argument(head)}`,
    "",
  ].join("\n");
}

function page({ host, caller, params }: Exchange): Answer {
  const repository = host.named(caller, params.owner ?? "", params.repo ?? "");
  const pull = repository && host.pulls.of(repository).find(({ number }) => String(number) === params.number);
  if (repository === undefined || pull === undefined) throw notFound();
  const text = pageOf(`${repository.owner}/${repository.name}`, pull);
  return bytes("text/plain; charset=utf-8", Buffer.from(text));
}

export const pullPages: Route[] = [
  {
    method: "GET",
    pattern: "/{owner}/{repo}/pull/{number}",
    docs: "https://docs.github.com/rest/pulls/pulls",
    resource: null,
    run: page,
  },
];
