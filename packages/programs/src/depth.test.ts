import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { resultOf } from "./programs.testing.js";

/** The text before and behind a program's middle, repeated as often as the program is deep. */
const NESTINGS: readonly (readonly [before: string, middle: string, behind: string])[] = [
  ["(", "1", ")"],
  ["[", "", "]"],
  ["({a:", "1", "})"],
  ["{", "", "}"],
  ["()=>{", "", "}"],
  ["a=>", "1", ""],
  ["`${", "1", "}`"],
  ["f(", "", ")"],
  ["a[", "1", "]"],
  ["!", "1", ""],
  ["- ", "1", ""],
  ["await ", "1", ""],
  ["new ", "X", ""],
  ["1?", "1", ":1"],
  ["1?1:", "1", ""],
  ["2**", "1", ""],
  ["1+", "1", ""],
  ["a=", "1", ""],
  ["if(1)", ";", ""],
  ["if(1);else ", ";", ""],
  ["for(;;)", ";", ""],
  ["do ", ";", "while(1);"],
  ["(class{a=", "1", "})"],
  ["(class{static{", "", "}})"],
  ["function f(){", "", "}"],
  ["(function(a=", "1", "){})"],
];

const PROGRAMS: readonly (readonly [before: string, nesting: (typeof NESTINGS)[number], behind: string])[] = [
  ...NESTINGS.map((nesting) => ["", nesting, ""] as const),
  ["let ", ["[", "a", "]"], "=1"],
  ["let ", ["{a:", "a", "}"], "=1"],
  ["return /", ["(", "a", ")"], "/"],
  ["return /", ["[", "a", "]"], "/v"],
  ["return a", [".b", "", ""], ""],
  ["return a", ["()", "", ""], ""],
  ["return a", ["``", "", ""], ""],
];

test("a program that is nested too deeply is refused, and its host runs on", () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-depth-"));
  const packages = pathToFileURL(resolve(import.meta.dirname, "../..")).href;
  const host = `
    import { createDispatcher } from "${packages}/runtime/dist/index.js";
    import { createPrograms } from "${packages}/programs/dist/index.js";
    const permissions = { previewPrograms: true, ask: () => "allow" };
    const dispatcher = createDispatcher({ tools: [], extensions: [createPrograms()], permissions });
    for (const [start, [before, middle, behind], end] of ${JSON.stringify(PROGRAMS)}) {
      const code = start + before.repeat(20000) + middle + behind.repeat(20000) + end;
      const [{ error }] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]);
      console.log(before, error.code, error.message);
    }
    process.exit();`;
  writeFileSync(join(folder, "host.mjs"), host);
  const { stdout, status } = spawnSync(process.execPath, [join(folder, "host.mjs")], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout.trimEnd().split("\n")).toEqual(
    PROGRAMS.map(([, [before]]) => `${before} program-invalid The program is nested too deeply (line 1)`),
  );
  expect(status).toBe(0);
});

test.each([
  ["brackets", `return ${"[".repeat(100)}1${"]".repeat(100)}.flat(Infinity)[0]`],
  ["functions", `return await ${"(async () => await ".repeat(60)}1${")()".repeat(60)}`],
  ["operators", `return ${"1 + ".repeat(800)}1 - 800`],
  ["calls", `return [1]${".map((n) => n)".repeat(300)}[0]`],
  ["branches", `${"if (0); else ".repeat(200)}return 1`],
])("a program with as many %s as people write runs", async (_what, code) => {
  expect(await resultOf(code)).toBe(1);
});
