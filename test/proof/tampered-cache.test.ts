import { expect, test } from "vitest";
import { compile, type CompileResult } from "../../packages/hasp/src/compile.js";
import { completePlan } from "../../packages/hasp/src/config/complete-plan.js";
import { CompileCache, type SavedFacts } from "../../packages/hasp/src/model/facts.js";

const sources = [
  {
    uri: "act.tool.yaml",
    role: "spec",
    text: `hasp: 1
name: act
description: Act on something. Use it to act.
input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }
concurrency: { rules: [{ when: input.mode != 'write', class: READ_ONLY }] }
display: { running: Acting }
`,
  },
] as const;
const plan = completePlan({ dialects: ["anthropic"], unlocked: true, today: "2030-01-01" });

/** Compiles with what an earlier build stored, changed by somebody who makes the digests fit. */
async function compiledWith(change: (stored: string) => string): Promise<CompileResult> {
  const cache = new CompileCache();
  await compile(sources, plan, { cache });
  const stored = new Map([...cache.entries()].map(([key, facts]) => [key, change(JSON.stringify(facts))]));
  expect(change("nothing")).toBe("nothing");
  const later = new CompileCache((key) => {
    const text = stored.get(key);
    return text === undefined ? undefined : () => JSON.parse(text) as SavedFacts;
  });
  return compile(sources, plan, { cache: later });
}

test("what a cache holds is what a build would make", async () => {
  const { files } = await compile(sources, plan);
  expect((await compiledWith((text) => text)).files).toEqual(files);
});

test.each([
  ["a condition", "!== ", "=== "],
  ["a class", 'class: "READ_ONLY"', 'class: "UNSAFE"'],
  ["a field", "requiresPermission: true", "requiresPermission: false"],
  ["a text", 'running: "Acting"', 'running: "Resting"'],
])("%s that was changed in a cached module stops the build", async (_, from, to) => {
  // The module is a string of JSON there.
  const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
  let isChanged = false;
  const change = (text: string): string => {
    const changed = text.replaceAll(quoted(from), () => quoted(to));
    isChanged ||= changed !== text;
    return changed;
  };
  await expect(compiledWith(change)).rejects.toThrow(/hasp generated .*act\.ts incorrectly/u);
  expect(isChanged).toBe(true);
});
