// What is generated compiles with each compiler under each of the settings that users have.
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listUnexecuted } from "./coverage.testing.js";
import { createOutside, type Outside } from "./outside-folder.testing.js";
import { copyKitchen, crowdedProject, PLAIN } from "./projects.testing.js";
import { COMPILERS, findExclusion, SETTINGS, type Compiler, type SettingsName } from "./tsconfigs.js";
import { findTypeErrors } from "./type-errors.testing.js";

let outside: Outside;

/** Builds a project and gives the folder of its coverage. */
async function build(folder: string): Promise<string> {
  const coverage = join(outside.root, "coverage", folder);
  const { code, out } = await outside.hasp(folder, ["build", "--unlocked", "--quiet"], { NODE_V8_COVERAGE: coverage });
  expect(code, out).toBe(0);
  return coverage;
}

beforeAll(async () => {
  outside = await createOutside(["oauth4webapi", "pg", "@modelcontextprotocol/client", "vite"]);
  copyKitchen(outside, "kitchen");
  outside.write("plain", PLAIN);
  outside.write("crowd", crowdedProject());
}, 120_000);
afterAll(() => outside.remove());

/** The beginnings of the blocks in emitters that no build reaches, by the reason. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  "only another emitter's mistake does": [
    "src/typescript/code.ts: throw new Error(",
    "src/builtin/emitters/base/names.ts: throw new Error(",
    "src/builtin/emitters/base/names.ts: ? void 0",
    "src/builtin/emitters/prepare.ts: throw new Error(",
    "src/builtin/emitters/connection-modules.ts: throw new Error(",
    "src/builtin/emitters/connection-modules.ts: ? void 0",
    "src/builtin/emitters/assemble.ts: throw new Error(",
  ],
  "only an update of stubs does": ["src/builtin/emitters/stubs.ts: async function listWantedExports("],
  "an index that is always in the list, which a type cannot say": [
    "src/typescript/code.ts: : left > right ? 1 : 0",
    "src/builtin/emitters/manifest.ts: ?? null",
    "src/builtin/emitters/base/shared-definitions.ts: ? void 0",
    "src/builtin/emitters/base/shared-definitions.ts: ?? true",
    "src/builtin/emitters/base/shared-definitions.ts: ?? null",
    "src/builtin/emitters/base/shared-names.ts: ?? 0",
    "src/builtin/emitters/definition-modules.ts: return [];",
    "src/builtin/emitters/definition-modules.ts: : void 0",
    "src/builtin/emitters/registry.ts: ?? path",
    "src/builtin/emitters/tool-module.ts: : void 0",
    "src/builtin/emitters/tool-module.ts: ?? ",
    "src/builtin/emitters/tool-module.ts: return handlers;",
    "src/builtin/emitters/tool-module.ts: : property.comment",
  ],
  "a schema that loading refuses or flattening does not leave": [
    'src/typescript/code.ts: ? "-0"',
    'src/typescript/code.ts: ? "[\\"__proto__\\"]"',
    'src/typescript/json-text.ts: ? "-0"',
    "src/typescript/json-text.ts: : scalarText(value)",
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
  "another program than a build, or the library alone": [
    "src/builtin/emitters/handler-modules.ts: async function printEjectedHandler(",
  ],
  "not tried yet": [
    'src/builtin/emitters/manifest.ts: return "{}";',
    "src/builtin/emitters/base/shared-names.ts: : `${plain}_${computeShortDigest(form.digest)}`",
    "src/builtin/emitters/base/shared-names.ts: first.role = use.role;",
    "src/builtin/emitters/module-parts/dialect-entries.ts: ? code`() => ${definition}(${readListing(names)})`",
    "src/builtin/emitters/policy-modules.ts: ? void 0",
    "src/builtin/emitters/tool-module.ts: : { index: renameReferences(index, sameNames) }",
  ],
};

test(
  "the specs of the kitchen and its neighbours reach every branch of the emitters",
  { timeout: 120_000 },
  async () => {
    const folders: string[] = [];
    for (const project of ["kitchen", "plain", "crowd"]) folders.push(await build(project));
    const unexecuted = listUnexecuted(folders, (path) =>
      /^src\/(?:builtin\/emitters\/|typescript\/(?:code|json-text|schema-comment|type-node|type-of-schema)\.)/u.test(
        path,
      ),
    );
    const known = Object.values(UNREACHED).flat();
    const isKnown = (block: string): boolean => known.some((text) => block.startsWith(text));
    expect(unexecuted.filter((block) => !isKnown(block))).toEqual([]);
    expect(known.filter((text) => !unexecuted.some((block) => block.startsWith(text)))).toEqual([]);
  },
);

test.each(["plain", "crowd"])(
  "everything that is generated for the project %s compiles",
  { timeout: 120_000 },
  async (name) => {
    const errors = await findTypeErrors(outside, name, "7.0", ["start", "exact"]);
    expect(Object.fromEntries(errors)).toEqual({ start: "", exact: "" });
  },
);

const names = Object.keys(SETTINGS) as readonly SettingsName[];
const isCommonJs = (name: SettingsName): boolean => "isCommonJs" in SETTINGS[name];

describe.each(Object.keys(COMPILERS) as readonly Compiler[])("TypeScript %s", (compiler) => {
  let errors: ReadonlyMap<SettingsName, string>;
  beforeAll(async () => {
    const commonJs = join(outside.root, "commonjs");
    if (!existsSync(commonJs)) {
      cpSync(join(outside.root, "kitchen"), commonJs, { recursive: true });
      writeFileSync(join(commonJs, "package.json"), '{ "private": true }\n');
    }
    const modules = names.filter((name) => !isCommonJs(name));
    const inKitchen = await findTypeErrors(outside, "kitchen", compiler, modules);
    const inCommonJs = await findTypeErrors(outside, "commonjs", compiler, names.filter(isCommonJs));
    errors = new Map([...inKitchen, ...inCommonJs]);
  }, 300_000);

  test.each(names.filter((name) => findExclusion(name, compiler) === undefined))(
    "compiles everything that is generated under the settings %s",
    (name) => {
      expect(errors.get(name)).toBe("");
    },
  );

  test("refuses what the page excludes by the error that is known", () => {
    for (const name of names) {
      const { fails } = findExclusion(name, compiler) ?? {};
      if (fails !== undefined) expect(errors.get(name)).toContain(fails);
    }
  });
});
