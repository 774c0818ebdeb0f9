/** For tests: the parser's port in this process, over grammars of node_modules. One runtime for all of a test file. */
import { createEntityParser } from "../../src/parsing/entity-parser.ts";
import { createSyntaxReader } from "../../src/parsing/syntax-reader.ts";
import type { EntityParser } from "../../src/ports/entity-parser.ts";
import { nodeGrammars } from "./node-grammars.ts";

export const nodeEntityParser = (): EntityParser => createEntityParser(createSyntaxReader(nodeGrammars));
