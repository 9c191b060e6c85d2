import { expect, test } from "vitest";
import { prepareProgram } from "./program-syntax.js";
import { resultOf, runProgram } from "./programs.testing.js";

const AsyncFunction = (async () => undefined).constructor as new (code: string) => () => Promise<unknown>;

/** A generator whose end takes several turns of the event loop. */
const WALK = `const trace = [], kept = [];
  async function* walk() {
    try { yield 1; yield 2; yield 3 } finally { trace.push("flush"); await 0; await 0; trace.push("close") }
  }
  `;
const END = `; trace.push("after"); return [trace, kept.map((get) => get())]`;

const LOOPS: readonly (readonly [string, string])[] = [
  ["a continue", "for (let i = 0; i < 3; i += 1) { let p = i; kept.push(() => [i, p]); if (i < 2) continue; p = 9 }"],
  [
    "a continue without a block",
    "for (let i = 0; kept.push(() => i), i < 3; i += 1) if (i < 2) continue; else trace.push(i)",
  ],
  [
    "a labelled continue",
    "l: for (let i = 0; i < 3; i += 1) { kept.push(() => i); for (const j of [1, 2]) { kept.push(() => j); if (j < i) continue l; trace.push(j) } }",
  ],
  [
    "labels of several loops",
    "a: b: for (let i = 0; i < 2; i += 1) c: for (let j = 0; j < 3; j += 1) { kept.push(() => [i, j]); if (j === 1) continue c; if (j === 2) continue a }",
  ],
  [
    "a continue in a switch",
    "for (let i = 0; i < 3; i += 1) { kept.push(() => i); switch (i) { case 0: continue; default: trace.push(i) } }",
  ],
  [
    "a continue with a finally",
    "for (let i = 0; i < 3; i += 1) { kept.push(() => i); try { if (i < 2) continue } finally { trace.push(i) } trace.push('end') }",
  ],
  [
    "a continue in a function",
    "for (let i = 0; i < 2; i += 1) kept.push(() => { let s = 0; for (let j = 0; j < 3; j += 1) { if (j === 1) continue; s += j + i } return s })",
  ],
  [
    "a labelled break",
    "for (let r = 0; r < 2; r += 1) l: for (let i = 0; i < 3; i += 1) { kept.push(() => [r, i]); for (;;) { if (i === 1) break l; break } }",
  ],
  ["a break of for await", "for await (const x of walk()) { kept.push(() => x); break }"],
  ["a return of for await", "await (async () => { for await (const x of walk()) return x })()"],
  [
    "an error in for await",
    "try { for await (const x of walk()) { await 0; throw new Error('no') } } catch (error) { trace.push(error.message) }",
  ],
  ["a labelled continue of for await", "l: for (const y of [1, 2]) { for await (const x of walk()) continue l; }"],
  [
    "a labelled for await",
    "a: b: for await (const x of walk()) { for (const y of [1, 2]) { if (y === x) continue b; trace.push(x, y); break b } }",
  ],
  [
    "a for await in a for await",
    "for await (const x of walk()) for await (const y of walk()) { trace.push(x, y); if (y === 2) break }",
  ],
  [
    "a for await that a generator leaves",
    "const g = (async function* () { for await (const x of walk()) yield x })(); await g.next(); await g.return()",
  ],
  [
    "a for await whose pattern fails",
    "try { for await (const { x: { y } } of walk()) trace.push(y) } catch (error) { trace.push(error.name) }",
  ],
  [
    "a for await over promises",
    "for await (const x of [Promise.resolve(1), 2]) { trace.push(x); if (x === 1) continue; break }",
  ],
  [
    "a for await over nothing iterable",
    "try { for await (const x of null) trace.push(x) } catch (error) { trace.push(error.name) }",
  ],
  [
    "a generator whose end fails",
    "const bad = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: async () => { throw new Error('end') } }) };" +
      "for (const end of ['break', 'throw']) try { for await (const x of bad) { if (end === 'break') break; throw new Error(end) } } catch (error) { trace.push(error.message) }",
  ],
];

test.each(LOOPS)("a program does with %s what JavaScript does", async (_what, loop) => {
  const code = WALK + loop + END;
  expect(await resultOf(code)).toEqual(JSON.parse(JSON.stringify(await new AsyncFunction(code)())));
});

test("a program without such loops runs as it is written", () => {
  const code = "for (const a of [1]) { if (a) continue }\nlet $hasp; for (let i = 0; i < 2; i++) { break }";
  expect(prepareProgram(code)).toEqual({ code, follow: "$hasp$" });
});

test.each([
  ["return (", "SyntaxError: Unexpected token (line 1)"],
  ["let a = 1;\nlet a = 2;", "SyntaxError: Identifier 'a' has already been declared (line 2)"],
  ["const tools = 1", "SyntaxError: Identifier 'tools' has already been declared (line 1)"],
  ["} async function other() {", "SyntaxError: A } has no { before it."],
  ["let a = 1\n<!-- b", "SyntaxError: Write a comment with // (line 2)"],
  ["[".repeat(100_000), "SyntaxError: Not enough stack space to parse input (line 1)"],
  [`a${".b".repeat(400_000)}`, "The program is nested too deeply."],
])("a program that is none is refused with its line: %.30s", async (code, message) => {
  expect((await runProgram(code)).error).toMatchObject({ code: "program-invalid", message, effect: "none" });
});

test("a rewritten program says the line of an error", async () => {
  const code =
    "for (let i = 0; i < 2; i += 1) {\n  if (i === 0) continue;\n  for await (const x of [1])\n    null.x;\n}";
  expect((await runProgram(code)).error?.message).toContain("(line 4)");
});
