// Picks the example payloads of the webhook events that this service reads from GitHub's published ones and writes them, unchanged,
// for `test/github-webhooks`. They are in the npm package `@octokit/webhooks-examples`. Usage:
//   node scripts/github-webhook-examples.ts …/webhooks-examples/api.github.com/index.json > test/github-webhooks/payloads.json
import { readFileSync } from "node:fs";

const EVENTS = ["push", "repository", "installation", "installation_repositories", "ping", "meta"];

const [, , source] = process.argv;
if (source === undefined) throw new Error("Name the package's api.github.com/index.json.");
const published = JSON.parse(readFileSync(source, "utf8")) as { name: string; examples: unknown[] }[];
const picked = published
  .filter(({ name }) => EVENTS.includes(name))
  .flatMap(({ name, examples }) => examples.map((payload) => ({ event: name, payload })));
process.stdout.write(`${JSON.stringify(picked)}\n`);
