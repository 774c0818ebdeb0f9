/**
 * Where a repository keeps its tests, by the customs of common ecosystems. Reads paths and manifest scripts only; the
 * rules are `TEST_FOLDERS`, `test-files.ts`, `CONFIGURATIONS` and `isTestScript`, the same for every repository.
 * A custom is no proof: a file named like a test may test nothing, and tests may hide under other names.
 */
import type { Manifest, TestLayout } from "../../schema/inspection.ts";
import { compareByteOrder } from "../change/byte-order.ts";
import { testFileRule } from "./test-files.ts";
import { countByVendoredFolder, vendoredFolder } from "./vendored.ts";

/** Names of test folders, compared in lower case. */
const TEST_FOLDERS = new Set(["test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "testsuite"]);

/** `OrdersTests`, `Orders.Tests`, `Orders.UnitTests`, `androidTest`, `integration-tests`, `unit_tests`. */
const TEST_FOLDER_END = /[a-z0-9.](?:Tests?|Specs)$|[-_.](?:[Tt]ests?|specs?)$/;

/** Base names of what configures a test runner. */
const CONFIGURATIONS: readonly (readonly [runner: string, name: RegExp])[] = [
  ["jest", /^jest\.config\.[cm]?[jt]s$|^jest\.config\.json$|^jest-preset\.[cm]?js$/],
  ["vitest", /^vitest\.(?:config|workspace)\.[cm]?[jt]s$|^vitest\.workspace\.json$/],
  ["playwright", /^playwright(?:-ct)?\.config\.[cm]?[jt]s$/],
  ["cypress", /^cypress\.config\.[cm]?[jt]s$|^cypress\.json$/],
  ["mocha", /^\.mocharc\.(?:[cm]?js|jsonc?|ya?ml)$/],
  ["ava", /^ava\.config\.[cm]?js$/],
  ["karma", /^karma\.conf\.[cm]?[jt]s$/],
  ["jasmine", /^jasmine\.json$|^jasmine\.[cm]?js$/],
  ["webdriverio", /^wdio(?:\.[\w-]+)?\.conf\.[cm]?[jt]s$/],
  ["web-test-runner", /^web-test-runner\.config\.[cm]?js$/],
  ["cucumber", /^cucumber\.(?:[cm]?js|json|ya?ml)$/],
  ["pytest", /^pytest\.(?:ini|toml)$|^\.pytest\.ini$|^conftest\.py$/],
  ["tox", /^tox\.(?:ini|toml)$/],
  ["nox", /^noxfile\.py$/],
  ["coverage.py", /^\.coveragerc$/],
  ["phpunit", /^phpunit\.(?:dist\.)?xml(?:\.dist)?$/],
  ["codeception", /^codeception\.(?:dist\.)?ya?ml(?:\.dist)?$/],
  ["behat", /^behat\.(?:dist\.)?ya?ml(?:\.dist)?$/],
  ["rspec", /^\.rspec$|^spec_helper\.rb$/],
  ["minitest", /^test_helper\.rb$/],
  ["exunit", /^test_helper\.exs$/],
  ["nextest", /^nextest\.toml$/],
  ["dart test", /^dart_test\.yaml$/],
  ["visual studio", /\.runsettings$/],
  ["testng", /^testng\.xml$/],
  ["ctest", /^CTestConfig\.cmake$|^CTestCustom\.cmake$/],
  ["testthat", /^testthat\.R$/],
  ["busted", /^\.busted$/],
];

/** A script is a test script when one word of its name is one of these; words end at `:`, `.`, `-`, `_`, `/` and space. */
const TEST_WORDS = new Set(["test", "tests", "pretest", "posttest", "e2e", "spec", "specs"]);

export const isTestScript = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/[:._\-/\s]/)
    .some((word) => TEST_WORDS.has(word));

/**
 * The layout, each list in git's order and complete (the caller pages). Folders are the topmost ones, with all files below
 * them. Vendored folders are left out and counted in `excluded`.
 */
export function testLayout(
  paths: readonly string[],
  manifests: readonly Pick<Manifest, "path" | "scripts">[],
): TestLayout {
  const sorted = [...paths].sort(compareByteOrder);
  const own = sorted.filter((path) => vendoredFolder(path) === null);
  const folders = new Map<string, number>();
  for (const path of own) {
    const folder = testFolder(path);
    if (folder !== null) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return {
    folders: [...folders].map(([path, files]) => ({ path, files })),
    files: own.flatMap((path) => {
      const rule = testFileRule(path);
      return rule === null ? [] : [{ path, rule }];
    }),
    configurations: own.flatMap((path) => {
      const name = basename(path);
      const runner = CONFIGURATIONS.find(([, pattern]) => pattern.test(name))?.[0];
      return runner === undefined ? [] : [{ path, runner }];
    }),
    scripts: manifests.flatMap(({ path, scripts }) =>
      scripts.filter((script) => isTestScript(script.name)).map((script) => ({ manifest: path, ...script })),
    ),
    excluded: countByVendoredFolder(sorted),
  };
}

/** The topmost folder of this path that is named as test folders are. */
function testFolder(path: string): string | null {
  const segments = path.split("/").slice(0, -1);
  const at = segments.findIndex((name) => TEST_FOLDERS.has(name.toLowerCase()) || TEST_FOLDER_END.test(name));
  return at === -1 ? null : segments.slice(0, at + 1).join("/");
}

const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
