import { expect, test } from "vitest";
import { rewriteProgram } from "./rewrite-program.js";
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

/** Loops in which an error leaves a block whose variables functions keep. */
const TRIES: readonly (readonly [string, string])[] = [
  [
    "an error in a block",
    "for (let k = 0; k < 3; k += 1) { try { let q = k; kept.push(() => q); q += 5; throw 1 } catch {} }",
  ],
  [
    "an error of a call",
    "for (const k of [0, 1]) { try { const q = k; kept.push(() => q); await Promise.reject(1) } catch {} }",
  ],
  [
    "an error in an inner loop",
    "for (const k of [0, 1]) { try { for (const i of [k]) { kept.push(() => i); null.x } } catch (e) { trace.push(e.name) } }",
  ],
  [
    "an error in a for await",
    "for (const k of [0, 1]) { try { for await (const i of walk()) { kept.push(() => [i, k]); throw 1 } } catch {} }",
  ],
  [
    "an error that is thrown on",
    "for (const k of [0, 1]) { try { try { throw k } catch (e) { kept.push(() => e); throw e } } catch (e) { trace.push(e) } }",
  ],
  [
    "an error that passes a finally",
    "for (const k of [0, 1]) { try { try { const q = k; kept.push(() => q); throw 1 } finally { trace.push(k) } } catch {} }",
  ],
  [
    "an error that a finally ends",
    "for (const k of [0, 1]) { try { const q = k; kept.push(() => q); throw 1 } finally { continue } }",
  ],
  [
    "an error in a switch",
    "let k = 0; while (k < 2) { try { switch (0) { case 0: const q = k++; kept.push(() => q); throw 1 } } catch {} }",
  ],
  [
    "an error beside a class",
    "for (const k of [0, 1]) { try { class A { static v = k; static get() { return A.v } } kept.push(() => A.get()); throw 1 } catch {} }",
  ],
  [
    "an error beside a function",
    "do { try { function g() { return trace.length } const n = g(); kept.push(() => n); trace.push(n); throw 1 } catch {} } while (trace.length < 3)",
  ],
  [
    "calls that go on after an error",
    "for (const k of [0, 1]) { try { const q = k; await Promise.all([Promise.reject(1), (async () => { await 0; await 0; await 0; trace.push(q) })()]) } catch {} } await new Promise((resolve) => resolve()); for (let n = 0; n < 9; n += 1) await 0",
  ],
  [
    "a continue out of a try",
    "l: for (let k = 0; k < 3; k += 1) { kept.push(() => k); for (const j of [0, 1]) try { const q = j; kept.push(() => q); if (k === 1) continue l; if (j) continue; if (k === 2) break l; throw k } catch (e) { trace.push(e) } }",
  ],
  [
    "jumps out of a try in a try",
    "l: for (const k of [0, 1, 2, 3]) { try { const q = k; kept.push(() => q); try { const r = q; kept.push(() => r); if (k === 1) continue; if (k === 3) break l; throw 1 } finally { trace.push('f') } } catch (e) { trace.push(e) } trace.push('end') }",
  ],
  [
    "jumps within a try",
    "for (const k of [0, 1]) { try { const q = k; kept.push(() => q); a: { for (const j of [1, 2]) { if (j === 2) break a; continue } } switch (k) { case 0: break; default: throw k } } catch (e) { trace.push(e) } }",
  ],
  [
    "a return out of a try",
    "const f = async (n) => { for (const k of [0, 1, 2]) { try { try { const q = k; kept.push(() => q); await 0; if (k === n) return (q, { q }); if (n === 5 && k) return; throw 1 } catch (e) { const c = e; kept.push(() => c); if (n === 6) return c; throw e } } catch (e) { trace.push(e) } finally { trace.push('f') } } return 'end' }; for (const n of [0, 1, 4, 5, 6]) trace.push(await f(n) ?? 'none')",
  ],
  [
    "a try without a call",
    "const f = (n) => { for (const k of [0, 1]) try { 'use strict'; const q = k; kept.push(() => q); undeclared = 1; if (n) return [q, this === undefined]; throw 1 } catch {} }; trace.push(f(0) ?? 'none', f(1))",
  ],
  [
    "a try in a generator",
    "const g = function* () { for (const k of [0, 1]) { let v; try { const q = k; kept.push(() => q); v = q; throw 1 } catch {} yield v } }; trace.push(...g())",
  ],
];

test.each([...LOOPS, ...TRIES])("a program does with %s what JavaScript does", async (_what, loop) => {
  const code = WALK + loop + END;
  expect(await resultOf(code)).toEqual(JSON.parse(JSON.stringify(await new AsyncFunction(code)())));
});

test.each([
  "for (const a of [1]) { if (a) continue }\nlet $hasp; for (let i = 0; i < 2; i++) { break }",
  "$hasp; try { const a = 1; kept.push(() => a); throw a } catch {}",
  "$hasp; for (const a of [1]) try { const b = a; kept.push(() => a) } catch {}",
  "$hasp; for (const a of [1]) try { const b = a; kept.push(() => b) } finally {}",
])("a program that QuickJS runs rightly stays as it is written: %s", (code) => {
  expect(rewriteProgram(code)).toEqual({ code, follow: "$hasp$" });
});

test.each([
  ["const g = function* () { for (;;)\ntry { const a = 1; kept.push(() => a);\nyield a } catch {} }", "`yield`", 3],
  ["for (;;) try { let a = 1; kept.push(() => a);\nvar b } catch {}", "`var`", 2],
  ["for (;;) try { let a = 1;\nfunction f() { return a } } catch {} f()", "the function f, which is used outside", 2],
])("a try that cannot become a function is refused: %s", (code, what, line) => {
  expect(() => rewriteProgram(code)).toThrow(
    `A try block in a loop, with variables that functions use, cannot have ${what}: move it into a function (line ${line})`,
  );
});

test.each([
  ["return (", "SyntaxError: Unexpected token (line 1)"],
  ["let a = 1;\nlet a = 2;", "SyntaxError: Identifier 'a' has already been declared (line 2)"],
  ["const tools = 1", "SyntaxError: Identifier 'tools' has already been declared (line 1)"],
  ["let a;\n} async function other() {", "SyntaxError: A } has no { before it (line 2)"],
  ["let a = 1\n<!-- b", "SyntaxError: Write a comment with // (line 2)"],
  [
    "let of = 4, g = 1, x\nof\n/await tools.echo()/g",
    "SyntaxError: Put the regular expression in parentheses (line 3)",
  ],
  ["if (1) /a/.test('a')", "SyntaxError: Put the regular expression in parentheses (line 1)"],
])("a program that is none is refused with its line: %.30s", async (code, message) => {
  expect((await runProgram(code)).error).toMatchObject({ code: "program-invalid", message, effect: "none" });
});

test.each(["for (const x of /a/.exec('a')) return x", "return /a/.exec('a')[0]", "await /b/; return 'a'"])(
  "a regular expression stays where no operand comes before it: %s",
  async (code) => {
    expect(await resultOf(code)).toBe("a");
  },
);

test("a rewritten program says the line of an error", async () => {
  const code =
    "for (let i = 0; i < 2; i += 1) {\n  if (i === 0) continue;\n  for await (const x of [1])\n    null.x;\n}";
  expect((await runProgram(code)).error?.message).toContain("(line 4)");
});
