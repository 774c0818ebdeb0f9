/** Edits of Java (patch and update); the parser of javac judges the results where a JDK is on the PATH. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCases } from "../../../../test/support/edit-cases.ts";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import { javaCases, PATH, STORE } from "./java.fixture.ts";

const results = runCases("Java", javaCases);

test("Java: create, remove and imports are refused by name", async () => {
  const head = new MemoryHead({ [PATH]: STORE });
  const created = await head.refusal(
    await head.create(PATH, "Store.toString", "method", "Store.x", "void x() {}"),
  );
  assert.equal(created.code, "language_not_editable");
  const removed = await head.refusal(await head.remove(PATH, "Store.toString"));
  assert.equal(removed.reason, "Java is edited by patch and update only.");
  const imports = await head.refusal(
    head.imports({ language: "java", path: PATH }, { add: ["import a.B;"] }),
  );
  assert.equal(imports.code, "unit_invalid");
});

const PARSER = `import com.sun.source.util.JavacTask;
import java.util.*;
import javax.tools.*;
public class Parse {
    public static void main(String[] files) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StandardJavaFileManager manager = compiler.getStandardFileManager(found, null, null);
        ((JavacTask) compiler.getTask(null, manager, found, null, null, manager.getJavaFileObjects(files))).parse();
        for (Diagnostic<?> d : found.getDiagnostics()) System.out.println(d);
    }
}
`;

const jdk = spawnSync("javac", ["-version"]).status === 0;

test("Java: javac parses every result", { skip: jdk ? false : "no JDK on the PATH" }, () => {
  assert.ok(results.size >= 26);
  const folder = mkdtempSync(join(tmpdir(), "java-edits-"));
  try {
    writeFileSync(join(folder, "Parse.java"), PARSER);
    const files = [...results.values()].map(({ text }, index) => {
      writeFileSync(join(folder, `${index}.java`), text);
      return join(folder, `${index}.java`);
    });
    const run = spawnSync("java", [join(folder, "Parse.java"), ...files], { encoding: "utf8" });
    assert.equal(run.stderr, "");
    assert.equal(run.stdout, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
