import fc from "fast-check";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FlatTool, CompileCache } from "@hasp/compiler";
import { compile } from "@hasp/project/built-in";
import { createToolRecords } from "../../packages/catalogue/src/data/tool-record.js";
import { openCache } from "@hasp/project/cache";
import { readProject } from "@hasp/project/read";
import { buildFacts } from "@hasp/report";
import { hasp, minimalSpec, project, put, tree, type Run } from "./command-line.js";

/** One step of somebody's work: files written or, where there is no text, removed. */
type Edit = Readonly<Record<string, string | undefined>>;

const tools = ["a", "b", "c"] as const;
const reference = (name: string): string =>
  minimalSpec(name).replace("id: { type", "at: { $ref: ./common/place.yaml }\n    id: { type");
/** A tool that uses what a shared file defines, under names on which tools must agree. */
const typed =
  (...references: readonly string[]) =>
  (name: string): string =>
    minimalSpec(
      name,
      "output: { type: object, properties: { spot: { $ref: ./common/shapes.yaml#/$defs/Point } } }\n",
    ).replace(
      "id: { type",
      `${references.map((reference, index) => `at${index}: { $ref: "${reference}", description: Here. }`).join("\n    ")}
    id: { type`,
    );
const loosened = (name: string): string => minimalSpec(name, "concurrency: { class: READ_ONLY }\n");
const texts: readonly ((name: string) => string)[] = [
  (name) => minimalSpec(name),
  reference,
  loosened,
  typed("./common/shapes.yaml#/$defs/Point"),
  typed("./common/shapes.yaml#/$defs/Line", "./common/more/shapes.yaml#/$defs/Point"),
  (name) => minimalSpec(name, "visibility: always\ndisplay: { running: 'Doing {id}' }\n"),
  (name) => minimalSpec(name).replace("id: { type: string", 'id: { type: string, pattern: "^[a-z]{1,9}$"'),
  (name) => minimalSpec(name, "aliases: [other]\n"),
  (name) => minimalSpec(name, "visibility: { featureGate: GATE }\n"),
  (name) => minimalSpec(name).replace("Do not use it", "Use `b` instead; do not use it"),
  (name) => minimalSpec(name, "x-note: # hasp-ignore naming/vague-name -- none\n  1\n"),
  (name) => minimalSpec(name, "concurrency: { rules: [{ custom: isMild, class: READ_ONLY }] }\n"),
  (name) => `${minimalSpec(name)}typo: 1\n`,
  (name) => `${minimalSpec(name)}  - "`,
  () => "",
];

const shared = [
  "type: string\n",
  "type: object\nproperties: { x: { type: number, exclusiveMinimum: 1 } }\n",
  "$ref: ./deep.yaml\n",
  "type: [\n",
  undefined,
];
const handlerTemplate =
  '// by us\nimport type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";\nexport const execute: __HANDLER_TYPE__["execute"] = () => { throw new Error("__MESSAGE__"); };\n';
const shapes = [
  "$defs:\n  Point: { type: object, properties: { x: { type: number, default: 1 } } }\n  Line: { type: array, items: { $ref: '#/$defs/Point' }, maxItems: 9 }\n",
  "$defs:\n  Point: { type: object, properties: { y: { type: integer } }, required: [y] }\n  Line: { type: array, minItems: 2 }\n  Unused: true\n",
  "$defs:\n  Point: { type: string, minLength: 2 }\n",
];
const configs = [
  "specs: [specs]\ndialects: [anthropic, gemini]\n",
  "specs: [specs]\ndialects: [mcp]\ntoolsets: { small: { include: [a] } }\nfindings: [{ rule: description/undescribed-parameter, severity: error }]\n",
  "specs: [specs]\noutDir: made\nbudgets: { toolTokens: 60 }\n",
  "specs: [specs]\ndialekts: []\n",
  undefined,
];
const ledgers = [
  'approved: [{ claim: "concurrency.class: READ_ONLY", reason: It reads., covers: sha256-none }]\n',
  'approved: [{ claim: "concurrency.class: READ_ONLY", reason: It reads., covers: sha256-none, expires: 2020-01-01 }]\n',
  "approved: [\n",
  undefined,
];
const madeByHand = ["// mine\n", undefined];

const oneOf = (path: string, values: readonly (string | undefined)[]): fc.Arbitrary<Edit> =>
  fc.constantFrom(...values).map((text) => ({ [path]: text }));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...tools), fc.constantFrom(...tools), fc.constantFrom(...texts))
      .map(([file, name, text]) => ({ [`specs/${file}.tool.yaml`]: text(name) })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...tools).map((file) => ({
      [`specs/${file}.tool.yaml`]: undefined,
      [`specs/moved/${file}.tool.yaml`]: minimalSpec(file),
    })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...tools).map((file) => ({ [`specs/moved/${file}.tool.yaml`]: undefined })) },
  { weight: 2, arbitrary: oneOf("specs/common/place.yaml", shared) },
  { weight: 1, arbitrary: oneOf("specs/common/deep.yaml", shared) },
  { weight: 2, arbitrary: oneOf("specs/common/shapes.yaml", shapes) },
  { weight: 1, arbitrary: oneOf("specs/common/more/shapes.yaml", shapes) },
  {
    weight: 1,
    arbitrary: oneOf("hasp-templates/stub/handler.ts", [
      handlerTemplate,
      handlerTemplate.replace("by us", "by them"),
      "no template\n",
      undefined,
    ]),
  },
  { weight: 2, arbitrary: oneOf("hasp.config.yaml", configs) },
  { weight: 2, arbitrary: oneOf("hasp-ledger/a.yaml", ledgers) },
  { weight: 1, arbitrary: oneOf("src/generated/registry.ts", madeByHand) },
  { weight: 1, arbitrary: oneOf("src/generated/tools/a.ts", madeByHand) },
  { weight: 1, arbitrary: oneOf("src/generated/manifest.json", madeByHand) },
  { weight: 1, arbitrary: oneOf("src/tools/a.ts", ["export const isMild = () => false;\n", undefined]) },
);

const command = fc.constantFrom(
  ["build"],
  ["build", "--unlocked"],
  ["build", "--unlocked"],
  ["build", "--check"],
  ["check"],
  ["check", "--unlocked"],
);

function apply(folder: string, changes: Edit): void {
  for (const [path, text] of Object.entries(changes)) {
    if (text !== undefined) put(folder, { [path]: text });
    else if (existsSync(join(folder, path))) rmSync(join(folder, path));
  }
}

function withoutTime({ code, out, error }: Run, folder: string): Run {
  return { code, out: out.replaceAll(/\d+ ms/gu, "… ms").replaceAll(folder, ""), error };
}

const start: Edit = {
  "hasp.config.yaml": configs[0],
  "specs/a.tool.yaml": reference("a"),
  "specs/b.tool.yaml": minimalSpec("b"),
  "specs/common/place.yaml": shared[0],
  "specs/common/shapes.yaml": shapes[0],
  "specs/common/more/shapes.yaml": shapes[0],
};

test("a remembered run says and writes what a new one does, after any edits in any order", async () => {
  let recalled = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(edit, command, fc.boolean()), { minLength: 3, maxLength: 8 }), async (steps) => {
      const environment = { XDG_CACHE_HOME: project() };
      const [cached, cold] = [project(), project()];
      for (const folder of [cached, cold]) apply(folder, start);
      for (const [changes, words, isRepeated] of steps) {
        for (const folder of [cached, cold]) apply(folder, changes);
        for (let times = isRepeated ? 2 : 1; times > 0; times -= 1) {
          const before = JSON.stringify(tree(environment.XDG_CACHE_HOME));
          const run = await hasp(cached, [...words, "--format", "json"], environment);
          if (JSON.stringify(tree(environment.XDG_CACHE_HOME)) === before && before !== "{}" && run.code !== 2) {
            recalled += 1;
          }
          expect(withoutTime(run, cached)).toEqual(withoutTime(await hasp(cold, [...words, "--format", "json"]), cold));
          expect(tree(cached)).toEqual(tree(cold));
        }
      }
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 12) },
  );
  expect(recalled).toBeGreaterThan(8);
}, 240_000);

/** All that a tool says, without its functions. */
function saidOf({
  name,
  spec,
  metadata,
  input,
  output,
  rules,
  flags,
  checks,
  relaxations,
  worstCase,
  customFunctions,
}: FlatTool): unknown {
  return JSON.parse(
    JSON.stringify([
      name,
      spec,
      metadata,
      input.schema,
      output?.schema,
      rules,
      flags,
      checks,
      relaxations,
      worstCase,
      customFunctions,
    ]),
  );
}

test("the facts kept about each tool change no result, after any edits in any order", async () => {
  let known = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.tuple(edit, fc.boolean()), { minLength: 3, maxLength: 10 }),
      async (isStored, edits) => {
        const [folder, environment] = [project(), { XDG_CACHE_HOME: project() }];
        apply(folder, start);
        // As watch mode has it, or as one run after the other does.
        const inMemory = new CompileCache();
        for (const [changes, isUnlocked] of edits) {
          apply(folder, changes);
          const stored = isStored ? openCache(folder, environment) : undefined;
          const cache = stored?.tools ?? inMemory;
          const { sources, plan } = await readProject(folder, { cache, today: "2026-01-01" });
          if (plan === undefined) continue;
          const other = new CompileCache();
          // Findings alone ask for less than a build, and a build may come after them.
          for (const unlocked of isUnlocked ? [true] : [false, true]) {
            const [warm, cold] = [
              await compile(sources, { ...plan, unlocked }, { cache }),
              await compile(sources, { ...plan, unlocked }, { cache: other }),
            ];
            expect(warm.diagnostics).toEqual(cold.diagnostics);
            expect(warm.files).toEqual(cold.files);
            expect(buildFacts(warm, plan, { tokens: true })).toEqual(buildFacts(cold, plan, { tokens: true }));
            expect(warm.losses).toEqual(cold.losses);
            expect(warm.tools.map(saidOf)).toEqual(cold.tools.map(saidOf));
            const texts = new Map(sources.map(({ uri, text }) => [uri, text]));
            const [shown, anew] = [
              createToolRecords({ plan, result: warm, texts }),
              createToolRecords({ plan, result: cold, texts }),
            ].map((records) => records.map(([, record]) => JSON.stringify(record)));
            expect(shown).toEqual(anew);
          }
          if (isStored) known += other.newSteps().length - cache.newSteps().length;
          stored?.saveTools();
        }
      },
    ),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 25) },
  );
  expect(known).toBeGreaterThan(40);
}, 240_000);
