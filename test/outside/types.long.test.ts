// Generated code compiles with each compiler under each of the settings that users have.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listUnexecuted } from "./coverage.testing.js";
import { createOutside, type Outside } from "./outside-folder.testing.js";
import { BARE, copyKitchen, crowdedProject, narrowDialects, PLAIN } from "./projects.testing.js";
import { COMPILERS, findExclusion, SETTINGS, type Compiler, type SettingsName } from "./tsconfigs.js";
import { findTypeErrors } from "./type-errors.testing.js";

const COMPILER_NAMES = Object.keys(COMPILERS) as readonly Compiler[];
const names = Object.keys(SETTINGS) as readonly SettingsName[];
const isCommonJs = (name: SettingsName): boolean => "isCommonJs" in SETTINGS[name];

type Errors = ReadonlyMap<SettingsName, string>;

let outside: Outside;
/** The coverage of each build. */
let coverage: readonly string[];
let errors: ReadonlyMap<Compiler, Errors>;

/** Builds a project and gives the folder of its coverage. */
async function build(folder: string): Promise<string> {
  const covered = join(outside.root, "coverage", folder);
  const { code, out } = await outside.hasp(folder, ["build", "--unlocked", "--quiet"], { NODE_V8_COVERAGE: covered });
  expect(code, out).toBe(0);
  return covered;
}

/** Finds the project that a cell compiles. The older compilers, which are slow, compile the lists of all dialects once. */
function projectFor(name: SettingsName, compiler: Compiler): string {
  const isWhole = compiler === "7.0" || name === "start";
  return `${isWhole ? "kitchen" : "narrow"}${isCommonJs(name) ? "-commonjs" : ""}`;
}

async function findAllErrors(compiler: Compiler): Promise<readonly [Compiler, Errors]> {
  return [compiler, await findTypeErrors(outside, (name) => projectFor(name, compiler), compiler, names)];
}

beforeAll(async () => {
  outside = await createOutside(["oauth4webapi", "pg", "@modelcontextprotocol/client", "vite"]);
  copyKitchen(outside, "kitchen");
  copyKitchen(outside, "narrow");
  narrowDialects(outside, "narrow", ["anthropic", "mcp", "openai-responses-strict"]);
  outside.write("plain", PLAIN);
  outside.write("bare", BARE);
  outside.write("crowd", crowdedProject());
  coverage = await Promise.all(["kitchen", "plain", "bare", "crowd"].map(build));
  await build("narrow");
  for (const project of ["kitchen", "narrow"]) {
    const copy = `${project}-commonjs`;
    cpSync(join(outside.root, project), join(outside.root, copy), { recursive: true });
    outside.write(copy, { "package.json": '{ "private": true }\n' });
  }
  errors = new Map(await Promise.all(COMPILER_NAMES.map(findAllErrors)));
}, 900_000);
afterAll(() => outside.remove());

/** The beginnings of the blocks in emitters that no build reaches, by the reason. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  "only another emitter's mistake does": [
    "src/typescript/code.ts: throw new Error(",
    "src/emitters/base/names.ts: throw new Error(",
    "src/emitters/base/names.ts: ? void 0",
    "src/emitters/prepare.ts: throw new Error(",
    "src/emitters/connection-modules.ts: throw new Error(",
    "src/emitters/connection-modules.ts: return void 0;",
    "src/emitters/assemble.ts: throw new Error(",
  ],
  "only a build that takes up the results of an earlier one does": ["src/emitters/prepare.ts: restore("],
  "only a call of one tool does": ["src/emitters/base/module-text.ts: function digestCode("],
  "only an update of stubs does": ["src/emitters/stubs.ts: async function listWantedExports("],
  "an index that is always in the list, which a type cannot say": [
    "src/typescript/code.ts: : left > right ? 1 : 0",
    "src/emitters/assemble.ts: ?? null",
    "src/emitters/bundle.ts: ?? null",
    "src/emitters/base/shared-definitions.ts: ? void 0",
    "src/emitters/base/shared-definitions.ts: ?? true",
    "src/emitters/base/shared-definitions.ts: ?? null",
    "src/emitters/base/shared-names.ts: ?? 0",
    "src/emitters/definition-modules.ts: return [];",
    "src/emitters/definition-modules.ts: : void 0",
    "src/emitters/registry.ts: ?? path",
    "src/emitters/tool-module.ts: : void 0",
    "src/emitters/tool-module.ts: ?? ",
    "src/emitters/tool-module.ts: return handlers;",
    "src/emitters/tool-module.ts: : property.comment",
  ],
  "a schema that loading refuses or flattening does not leave": [
    'src/typescript/code.ts: ? "-0"',
    'src/typescript/code.ts: ? "[\\"__proto__\\"]"',
    'src/typescript/json-text.ts: ? "-0"',
    "src/typescript/json-text.ts: : scalarText",
    'src/emitters/module-parts/needed-parts.ts: case "wrap"',
    "src/typescript/type-node.ts: continue;",
    'src/typescript/type-node.ts: return keyword("never");',
    "src/typescript/type-node.ts: ? only",
    "src/typescript/type-of-schema.ts: parts.push(...schema.allOf",
    'src/typescript/type-of-schema.ts: : { kind: "reference", name }',
    "src/typescript/type-of-schema.ts: return false;",
    "src/typescript/type-of-schema.ts: : void 0",
    "src/typescript/type-of-schema.ts: return void 0;",
    "src/typescript/type-of-schema.ts: : branch",
    "src/typescript/type-of-schema.ts: return intersection([own, inner]);",
    "src/typescript/type-of-schema.ts: : inner",
    "src/typescript/type-of-schema.ts: ? true",
  ],
  "the tests of namespaces do": [
    "src/emitters/base/namespaces.ts: ? toolset",
    'src/emitters/base/namespaces.ts: (found) => found.startsWith("_")',
    'src/emitters/base/namespaces.ts: || "tools"',
  ],
  "another program than a build, or the library alone": [
    "src/emitters/handler-modules.ts: async function printEjectedHandler(",
  ],
  "a dialect that decodes what it sends as it is": [
    "src/emitters/module-parts/dialect-entries.ts: ? code`() => ${definition}(${readListing(names)})`",
  ],
};

test("the specs of the kitchen and its neighbours reach every branch of the emitters", () => {
  const unexecuted = listUnexecuted(coverage, (path) =>
    /^src\/(?:emitters\/|typescript\/(?:code|json-text|schema-comment|type-node|type-of-schema)\.)/u.test(path),
  );
  const known = Object.values(UNREACHED).flat();
  const isKnown = (block: string): boolean => known.some((text) => block.startsWith(text));
  expect(unexecuted.filter((block) => !isKnown(block))).toEqual([]);
  expect(known.filter((text) => !unexecuted.some((block) => block.startsWith(text)))).toEqual([]);
});

test.each(["plain", "bare", "crowd"])("everything that is generated for the project %s compiles", async (name) => {
  const found = await findTypeErrors(outside, name, "7.0", ["start", "exact"]);
  expect(Object.fromEntries(found)).toEqual({ start: "", exact: "" });
});

describe.each(COMPILER_NAMES)("TypeScript %s", (compiler) => {
  test.each(names.filter((name) => findExclusion(name, compiler) === undefined))(
    "compiles everything that is generated under the settings %s",
    (name) => {
      expect(errors.get(compiler)?.get(name)).toBe("");
    },
  );

  test("refuses what the page excludes by the error that is known", () => {
    for (const name of names) {
      const { fails } = findExclusion(name, compiler) ?? {};
      if (fails !== undefined) expect(errors.get(compiler)?.get(name)).toContain(fails);
    }
  });
});
