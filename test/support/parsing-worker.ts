/** For tests: a Worker that answers with what it reads of the source posted to it. */
import { readSourceUnit } from "../../src/core/entity/entity.ts";
import { asGitpinError } from "../../src/errors.ts";
import { bundledGrammars } from "../../src/parsing/bundled-grammars.ts";
import { createSyntaxReader } from "../../src/parsing/syntax-reader.ts";

const reader = createSyntaxReader(bundledGrammars);

export default {
  async fetch(request: Request): Promise<Response> {
    const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
    try {
      const unit = await readSourceUnit(reader, 1, path, new Uint8Array(await request.arrayBuffer()));
      return Response.json(unit.located.map(({ entity }) => `${entity.kind} ${entity.qualifiedName}`));
    } catch (error) {
      return Response.json(asGitpinError(error).report(), { status: 422 });
    }
  },
};
