import { expect, test } from "vitest";
import { flatTools } from "../rules/check-specs.testing.js";
import { yaml } from "../rules/reading/example-spec.js";
import { runSpecTests, type SpecTestOptions } from "./index.js";

const TOOL = yaml`
  hasp: 1
  name: copy
  description: Copy.
  input:
    type: object
    required: [mode]
    properties: { mode: { enum: [read, write] }, path: { type: string, minLength: 1 }, dry: { type: boolean, default: false } }
  concurrency: { rules: [{ when: input.mode == 'read' && !input.dry, class: READ_ONLY }] }
  behavior: { requiresPermission: { when: input.mode == 'write' } }
  validate: [{ that: "!has(input.path) || !input.path.startsWith('/')", message: relative paths only }]
`;

async function run(text: string, options?: SpecTestOptions): Promise<readonly string[]> {
  const { tools, diagnostics } = flatTools([{ uri: "copy.tool.yaml", text, role: "spec" }]);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const results = await runSpecTests(tools, options);
  return results.map(({ kind, index, status, problems }) => {
    const lines = problems.map(({ message, location }) => `${location.pointer}: ${message}`);
    return [`${kind} ${index} ${status}`, ...lines].join("\n");
  });
}

test("what is expected and so", async () => {
  const results = await run(`${TOOL}examples:
  - input: { mode: read, path: a }
tests:
  - { input: { mode: read }, expect: { class: READ_ONLY, isReadOnly: true, isDestructive: false, isIdempotent: true, requiresPermission: false } }
  - { input: { mode: write }, expect: { class: UNSAFE, isDestructive: true, requiresPermission: true } }
  - { input: { mode: read, dry: "true" }, expect: { class: UNSAFE } }
  - { input: { mode: reed }, expect: { invalid: /mode } }
  - { input: { mode: read, path: "" }, expect: { valid: false } }
  - { input: { mode: read, path: /etc }, expect: { invalid: "" } }
  - { input: [], expect: { invalid: "" } }
`);
  expect(results.map((line) => line.split(" ")[2])).toEqual(Array(8).fill("passed"));
});

test("what is expected and not so, each at its place", async () => {
  expect(
    await run(`${TOOL}examples:
  - input: { mode: read, path: /etc }
tests:
  - { input: { mode: read }, expect: { class: UNSAFE, isDestructive: true } }
  - { input: { mode: reed }, expect: { class: READ_ONLY } }
  - { input: { mode: reed }, expect: { invalid: /path } }
  - { input: { mode: read }, expect: { valid: false } }
`),
  ).toEqual([
    "example 0 failed\n/examples/0/input: The input is refused: relative paths only",
    "test 0 failed\n/tests/0/expect/class: class is READ_ONLY, not UNSAFE.\n/tests/0/expect/isDestructive: isDestructive is false, not true.",
    expect.stringMatching(/^test 1 failed\n\/tests\/1\/input: The input is refused at \/mode: /u),
    expect.stringMatching(/^test 2 failed\n\/tests\/2\/expect\/invalid: The input is refused at \/mode, not there/u),
    "test 3 failed\n/tests/3/expect/valid: The input is accepted.",
  ]);
});

test("what rests on a function of the handler is asked of it, or skipped", async () => {
  const custom = TOOL.replace("when: input.mode == 'read' && !input.dry", "custom: isHarmless").replace(/validate:.*\n/u, "validate: [{ custom: isKnown }]\n");
  const text = `${custom}tests:
  - { input: { mode: read }, expect: { class: READ_ONLY } }
  - { input: { mode: write }, expect: { valid: false } }
  - { input: { mode: reed }, expect: { valid: false } }
  - { input: { mode: read }, expect: { valid: true } }
`;
  const missing = (await run(text)).map((line) => line.split(" ")[2]?.split("\n")[0]);
  expect(missing).toEqual(["skipped", "skipped", "passed", "passed"]);
  const functions: { readonly [name: string]: (input: unknown) => unknown } = {
    isHarmless: () => true,
    isKnown: async (input) => (input as { mode: string }).mode === "read" || "unknown mode",
  };
  const given = await run(text, { custom: (_, name) => functions[name] });
  expect(given.map((line) => line.split(" ")[2])).toEqual(["passed", "passed", "passed", "passed"]);
});
