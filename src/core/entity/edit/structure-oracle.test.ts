/**
 * Generated files without semicolons, edited at random: whatever was planned, the TypeScript compiler reads the statements
 * and members outside the edit as it read them before. Its parser is the oracle, the grammar is what is judged.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import {
  isClassDeclaration,
  isConstructorDeclaration,
  isEmptyStatement,
  isExpressionStatement,
  isSemicolonClassElement,
  isStringLiteral,
  isVariableStatement,
} from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const RUNS = 2_500;
const SEED = 20_261_201;

const STATEMENTS = [
  ..."foo()|a = b|(function () {})()|[1, 2].forEach(g)|`t`|/re/g.test(x)|+x|-y|++i|--j|!x|;[3].map(h)|;(z)()".split(
    "|",
  ),
  ..."'use strict'|\"use x\"|if (x) foo()|if (x) { foo() } else bar()|while (x) y()|do x(); while (y)|l: foo()".split(
    "|",
  ),
  ..."async () => {}|x = function () {}|x = class {}|new Foo|get|static|type|async|let|declare|namespace|module".split(
    "|",
  ),
  ..."x => x|{ block() }|// comment|/* c */|foo;|(a), b|delete x.y|x = async|y = type|z = a ? b : c|x = {}|;".split(
    "|",
  ),
  ..."import 'q'|import q from 'q'|export {}|throw x|var w|if (x)\n  foo()|for (;;) foo()|foo() // c".split(
    "|",
  ),
];
const DECLARATIONS = [
  ..."function N() {}|const N = 1|let N|var N = foo|class N {}|const N = () => {}|const N = function () {}".split(
    "|",
  ),
  ..."const N = 1, M = 2|let M, N|export const N = b|export function N() {}|async function N() {}|const N = x\n  .y".split(
    "|",
  ),
  ..."const N = a // c|/** d */\nfunction N() {}|const N = async|let N = x;|function* N() {}|const N = `t`".split(
    "|",
  ),
];
const TYPED = [
  ..."type N = A|interface N {}|declare const N: A|enum N {}|namespace N {}|abstract class N {}".split("|"),
  ..."declare function N(): void|const N = x as A|const N: A = b|type N = typeof a|let N: A".split("|"),
];
const MEMBERS = [
  ..."N = 1|N|['c'] = 1|[d]() {}|*e() {}|get|static|set|async|in|static N() {}|N() {}|async N() {}|'q'".split(
    "|",
  ),
  ..."static {}|#N|x = y|get N() {}|;|N = () => {}|*N() {}|N = a;|set N(x) {}|async *N() {}|'N'() {}".split(
    "|",
  ),
  ..."get\nN() {}|static\nN() {}|async\nN() {}|get\n*N() {}".split("|"),
];
const NEW_TEXTS = [
  ..."const N = b|let N|function N() {}|const N = () => {}|class N {}|const N = b;|var N = function () {}".split(
    "|",
  ),
  ..."const N = x // c|const N = `x`|let N = async".split("|"),
];
const NEW_MEMBERS = "N() {}|static N() {}|*N() {}|N = () => {}|get N() {}|async N() {}".split("|");

const nat = fc.nat(10_000);
const scenario = fc.record({
  typed: fc.boolean(),
  gaps: fc.array(fc.constantFrom("\n", "\n", "\n\n", "\n// c\n"), { minLength: 6, maxLength: 6 }),
  parts: fc.array(
    fc.oneof(
      fc.record({ statement: nat }),
      fc.record({ declaration: nat }),
      fc.record({ members: fc.array(nat, { minLength: 1, maxLength: 5 }) }),
    ),
    { minLength: 2, maxLength: 6 },
  ),
  edit: fc.constantFrom("remove", "remove", "update", "create"),
  target: nat,
  text: nat,
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const pick = (list: readonly string[], at: number, name = ""): string =>
  (list[at % list.length] as string).replaceAll("N", name).replaceAll("M", `${name}m`);

function sourceOf({ typed, gaps, parts }: Scenario): string {
  const texts = parts.map((part, index) => {
    if ("statement" in part) return pick(STATEMENTS, part.statement);
    if ("declaration" in part) {
      return pick(typed ? [...DECLARATIONS, ...TYPED] : DECLARATIONS, part.declaration, `f${index}`);
    }
    const members = part.members.map((member, at) => pick(MEMBERS, member, `m${at}`));
    return `class C${index} {\n  ${members.join("\n  ")}\n}`;
  });
  return `${texts.reduce((all, text, index) => all + (gaps[index % gaps.length] ?? "\n") + text)}\n`;
}

interface Edited {
  path: string;
  source: string;
  result: string;
  /** Names whose declarations the edit is about. */
  names: Set<string>;
}

/** What was planned; the code of the refusal; or null where there is nothing to edit. */
async function edit(chosen: Scenario): Promise<Edited | string | null> {
  const path = chosen.typed ? "a.ts" : "a.js";
  const source = sourceOf(chosen);
  const head = new MemoryHead({ [path]: source });
  const unit = await head.unit(path);
  const { located } = unit;
  const target = located[chosen.target % Math.max(1, located.length)];
  if (target === undefined || unit.outline.faults.length > 0) return null;
  const { name, qualifiedName } = target.entity;
  if (located.filter(({ entity }) => entity.qualifiedName === qualifiedName).length > 1) return null;
  const owner = qualifiedName.includes(".") ? qualifiedName.slice(0, qualifiedName.indexOf(".") + 1) : "";
  const texts = owner === "" ? NEW_TEXTS : NEW_MEMBERS;
  let edited = qualifiedName;
  let operation = await head.remove(path, qualifiedName);
  if (chosen.edit === "update") {
    operation = await head.update(path, qualifiedName, pick(texts, chosen.text, name));
  } else if (chosen.edit === "create") {
    edited = `${owner}made`;
    const body = pick(texts, chosen.text, "made");
    const kind = /^(const|let|var|function|class)\b/.exec(body)?.[1] ?? "method";
    operation = await head.create(path, qualifiedName, kind as "const", edited, body);
  }
  const outcome = await head.outcome([operation]);
  if (outcome.status !== "planned") return outcome.status === "refused" ? outcome.refusal.code : "conflict";
  const result = textsOf(outcome.plan)[path] ?? "";
  return { path, source, result, names: new Set([edited, edited.replace(/['"]/g, "")]) };
}

const shape = (node: Node): string => {
  const inside: string[] = [];
  node.forEachChild((child) => {
    inside.push(shape(child));
    return undefined;
  });
  return `${SyntaxKind[node.kind]}(${inside.join()})`;
};

/** Statements and members as the compiler reads them: their trees and texts, without those that the names declare. */
function standing(statements: Iterable<Node>, text: string, names: ReadonlySet<string>): string[] {
  const words = (node: Node) => text.slice(node.pos, node.end);
  const plain = (node: Node) =>
    words(node)
      .replace(/\/\/.*|\/\*.*?\*\//g, "")
      .replace(/^\s+|[\s;]+$/g, "");
  const nameOf = (node: Node): string => {
    const { name } = node as Node & { name?: Node };
    if (isConstructorDeclaration(node)) return "constructor";
    return name === undefined ? "" : plain(name).replace(/^['"]|['"]$/g, "");
  };
  let directive = true;
  return [...statements].flatMap((statement): string[] => {
    if (isEmptyStatement(statement)) return [];
    directive &&= isExpressionStatement(statement) && isStringLiteral(statement.expression);
    if (names.has(nameOf(statement))) return [];
    if (isClassDeclaration(statement)) {
      const owner = nameOf(statement);
      const members = [...statement.members].filter(
        (member) => !isSemicolonClassElement(member) && !names.has(`${owner}.${nameOf(member)}`),
      );
      return [`class ${owner}`, ...members.map((member) => `${shape(member)} ${plain(member)}`)];
    }
    if (isVariableStatement(statement)) {
      const word = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*((?:export |declare )?\w+)/.exec(words(statement))?.[1];
      const declared = [...statement.declarationList.declarations].filter((one) => !names.has(nameOf(one)));
      return declared.map((one) => `${word} ${shape(one)} ${plain(one)}`);
    }
    return [`${directive ? "directive " : ""}${shape(statement)} ${plain(statement)}`];
  });
}

test("statements outside an edit are to the compiler what they were, or the edit is refused", {
  timeout: 300_000,
}, async () => {
  const refused = new Map<string, number>();
  const edits: Edited[] = [];
  for (const chosen of fc.sample(scenario, { numRuns: RUNS, seed: SEED })) {
    const made = await edit(chosen);
    if (typeof made === "string") refused.set(made, (refused.get(made) ?? 0) + 1);
    else if (made !== null) edits.push(made);
  }
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], moduleDetection: "force" };
  const files: Record<string, string> = {
    "/p/tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["*"] }),
  };
  for (const [index, { path, source, result }] of edits.entries()) {
    files[`/p/before${index}${path}`] = source;
    files[`/p/after${index}${path}`] = result;
  }
  const api = new API({ fs: createVirtualFileSystem(files), cwd: "/p" });
  const compared = new Map<string, number>();
  try {
    const [project] = api.updateSnapshot({ openProjects: ["/p/tsconfig.json"] }).getProjects();
    assert.ok(project);
    const { program } = project;
    for (const [index, { path, source, result, names }] of edits.entries()) {
      const was = program.getSourceFile(`/p/before${index}${path}`);
      const is = program.getSourceFile(`/p/after${index}${path}`);
      assert.ok(was && is);
      // What the compiler cannot read it cannot judge.
      if (program.getSyntacticDiagnostics(`/p/before${index}${path}`).length > 0) continue;
      assert.deepEqual(
        standing(is.statements, result, names),
        standing(was.statements, source, names),
        `${[...names][0]}\n${source}\n=>\n${result}`,
      );
      compared.set(path, (compared.get(path) ?? 0) + 1);
    }
  } finally {
    api.close();
  }
  assert.ok(
    (compared.get("a.js") ?? 0) > RUNS / 10 && (compared.get("a.ts") ?? 0) > RUNS / 10,
    "too little is planned",
  );
  assert.ok((refused.get("footprint_exceeded") ?? 0) > RUNS / 50, "nothing dangerous was tried");
});
