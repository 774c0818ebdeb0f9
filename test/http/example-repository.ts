/** The repository that the examples of the OpenAPI document speak of: two commits with fixed ids, made by the real git. */
import { GitRepository } from "../repositories/git.ts";

export interface ExampleRepository {
  repository: GitRepository;
  first: string;
  head: string;
}

export function exampleRepository(): ExampleRepository {
  const repository = new GitRepository("example");
  repository
    .write("README.md", "# Example\n\nSays hello.\n\n## Use\n\nCall `greet`.\n")
    .write("AGENTS.md", "# Agents\n\nRun the tests first.\n")
    .write("docs/architecture.md", "# Architecture\n\nOne function.\n")
    .write("package.json", '{\n  "name": "example",\n  "version": "1.0.0"\n}\n')
    .write("src/greet.ts", 'export function greet(name: string): string {\n  return "Hello, " + name;\n}\n')
    .write(".env", "SECRET=1\n");
  const first = repository.commit("Say hello");
  repository.write(
    "src/greet.ts",
    '/** A greeting. */\nexport function greet(name: string): string {\n  return "Hello, " + name;\n}\n',
  );
  const head = repository.commit("Say what it is");
  return { repository, first, head };
}
