import fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMatcher } from "@hasp/schema/validate";
import { haspConfigSchema, toolSpecSchema } from "@hasp/project/built-in";

const project = resolve(import.meta.dirname, "../../tools-spec");
const specs = readdirSync(join(project, "specs")).filter((name) => name.endsWith(".tool.yaml"));
const read = (path: string): unknown => parse(readFileSync(join(project, path), "utf8"));

/** Everything that a spec or a configuration may say, in documents that are right. */
const rich = {
  hasp: 1,
  name: "find_rows",
  title: "Find rows",
  description: "Finds rows.",
  aliases: ["search_rows"],
  tags: ["read"],
  input: { type: "object", properties: { mode: { enum: ["read", "write"] } } },
  concurrency: {
    class: "UNSAFE",
    rules: [
      { when: 'input.mode == "read"', class: "READ_ONLY", isReadOnly: true },
      { custom: "isMild", class: "WRITE_EXCLUSIVE" },
    ],
  },
  behavior: {
    isDestructive: { unless: 'input.mode == "read"' },
    isIdempotent: "withKey",
    requiresPermission: false,
    interruptBehavior: "cancel",
  },
  visibility: { load: "deferred", featureGate: "ROWS" },
  limits: { maxResultSizeChars: 1000, timeoutSeconds: "unlimited", maxRetries: 2 },
  needs: { env: ["TOKEN"], context: ["database"] },
  validate: [{ that: 'input.mode != ""', message: "Say which." }, { custom: "isFine" }],
  examples: [{ input: { mode: "read" }, description: "Reads." }],
  tests: [{ input: { mode: "read" }, expect: { class: "READ_ONLY" } }],
  display: { running: "Finding {mode}" },
  providers: { openai: { strict: false, allowNarrowing: true } },
};
const documents: readonly (readonly [Readonly<Record<string, unknown>>, string, unknown])[] = [
  ...specs.map((name) => [toolSpecSchema, "ToolFile", read(`specs/${name}`)] as const),
  [toolSpecSchema, "ToolFile", rich],
  [toolSpecSchema, "ToolsFile", { hasp: 1, tools: [{ name: "a", description: "A.", input: {} }] }],
  [haspConfigSchema, "Config", read("hasp.config.yaml")],
];

const oddValues = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  "",
  "x",
  "READ_ONLY",
  "unlimited",
  [],
  ["a", "a"],
  [1],
  {},
  { custom: "f" },
  { when: "true" },
  { class: "UNSAFE" },
);
const oddKeys = fc.constantFrom(
  "name",
  "class",
  "when",
  "unless",
  "custom",
  "that",
  "x-own",
  "unknown",
  "strict",
  "hasp",
);

/** A copy in which something, anywhere, is another value, gone or new. */
function changed(
  value: unknown,
  path: readonly number[],
  change: (holder: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = structuredClone(value);
  let holder: unknown = copy;
  for (const [depth, step] of path.entries()) {
    if (typeof holder !== "object" || holder === null || Object.keys(holder).length === 0) return copy;
    const keys = Object.keys(holder);
    const key = keys[step % keys.length] ?? "";
    const next: unknown = Reflect.get(holder, key);
    const isLast = depth === path.length - 1 || typeof next !== "object" || next === null;
    if (isLast) {
      change(holder as Record<string, unknown>, key);
      return copy;
    }
    holder = next;
  }
  return copy;
}

const change = fc.oneof(
  oddValues.map((value) => (holder: Record<string, unknown>, key: string) => void (holder[key] = value)),
  fc.constant((holder: Record<string, unknown>, key: string) => void Reflect.deleteProperty(holder, key)),
  fc.tuple(oddKeys, oddValues).map(
    ([name, value]) =>
      (holder: Record<string, unknown>) =>
        void (holder[name] = value),
  ),
);

test("our validator and Ajv agree on hasp's own formats", () => {
  const verdicts = documents.map(([schema, name, document]) => {
    const whole = { $defs: schema["$defs"], $ref: `#/$defs/${name}` };
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, validateSchema: false });
    const [judge, validate] = [createMatcher(whole), ajv.compile(whole)];
    expect([name, judge(document), validate(document)]).toEqual([name, true, true]);
    return { document, judge, validate };
  });
  const seen = { right: 0, wrong: 0 };
  fc.assert(
    fc.property(
      fc.nat(verdicts.length - 1),
      fc.array(fc.tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }), change), { minLength: 1, maxLength: 3 }),
      (index, changes) => {
        const verdict = verdicts[index];
        if (verdict === undefined) return;
        const document = changes.reduce((current, [path, apply]) => changed(current, path, apply), verdict.document);
        const isRight = verdict.judge(document);
        seen[isRight ? "right" : "wrong"] += 1;
        expect(isRight).toBe(verdict.validate(document));
      },
    ),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 300) },
  );
  expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(30);
});
