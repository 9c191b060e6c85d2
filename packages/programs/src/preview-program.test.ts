import fc from "fast-check";
import { createDispatcher } from "@hasp/runtime";
import { createPrograms } from "@hasp/programs";
import { expect, test } from "vitest";
import { previewProgram } from "./preview-program.js";
import { reader } from "./programs.testing.js";
import { rewriteProgram } from "./rewrite-program.js";

test.each([
  ["return await tools.read({ a: 1 })", "read"],
  [
    "[1].map((n) => tools . read\n({ n })), tools?.look?.(), tools?.['my-tool'](), tools [ \"a.b\" ] ()",
    "a.b look my-tool read",
  ],
  ["const mytools = 1, toolset = 2; return [mytools, toolset, '\\u2014\\u{1F600}']", ""],
  ["// Then tools.pay()\nconst text = 'tools.write()', pattern = /tools.find()/", "find pay write"],
  ["let of = 4, g = 1, x\nof\n/await tools.read_secret()/g", "read_secret"],
])("the preview of %j names the tools that its text calls", (code, tools) => {
  expect(previewProgram(code)).toEqual({ tools: tools === "" ? [] : tools.split(" "), dynamic: false });
});

test.each([
  "// all tools",
  "const text = 'tools'",
  "return /tools/g",
  "tools.pay",
  "tools /* now */ .pay()",
  "tools.p\\u0061y()",
  "tools['p\\x61y']()",
  "tools[`pay`]()",
  "tools.pay`x`",
  "x.tools.tools()",
  // The text of two strings, with a use of `tools` between them.
  `"tools["-tools-"]("`,
  "t\\u006fols.pay()",
  "t\\u{6f}ols.pay()",
  "t\\u{0006f}ols.pay()",
  "// arguments",
  "'eval'",
  "`Function`",
])("the preview of %j is dynamic", (code) => {
  expect(previewProgram(code).dynamic).toBe(true);
});

const CALLS = [
  "tools.one()",
  "tools?.one()",
  'tools["one"]()',
  "tools\n. two ()",
  "tools.one().then(() => tools.two())",
];
const OTHER_CALLS = [
  "t\\u006fols.one()",
  "t\\u{6f}ols.two()",
  "arguments[0].one()",
  "(tools).one()",
  "tools/**/.two()",
  "tools[`one`]()",
  "tools.two``",
];
/** Words that are names in one place and keywords in another, and beginnings and ends of texts that are no code. */
const PIECES = [
  ..."of g x get set async let yield await static in return typeof do else case:default".split(" "),
  ..."/ /g /** */ // ` ${ } { ( ) [ ] ' \" <!-- --> \\ ; , = => ++ -- ! ? ?. : . 1".split(" "),
  ..."if(x) while(0) function(){} class{} ()=>{} {} function*(){".split(" "),
  "\n",
  "\n",
  "\n",
  " ",
  "\u2028",
  "switch (1) { case 1:",
  "for (let i = 0; i < 2; i += 1) {",
  "continue",
];
const DECLARATIONS = "let of = 4, g = 1, x = 1, get = 1, set = 1, async = 1;\n";
const OPERAND_AND_SLASH = ["x\nof\n/", "do; while (0) /", "x => x\n/", "{} /", "`${x}`\n/", "if (x) /"];

const soup = fc
  .tuple(
    fc.oneof(fc.constantFrom(...OPERAND_AND_SLASH), fc.array(fc.constantFrom(...PIECES), { maxLength: 5 })),
    fc.constantFrom(...CALLS, ...OTHER_CALLS),
    fc.oneof(fc.constantFrom("/g", ""), fc.array(fc.constantFrom(...PIECES), { maxLength: 5 })),
  )
  .map((parts) => DECLARATIONS + parts.map((part) => (typeof part === "string" ? part : part.join(" "))).join(""));

const REGEXP_OR_DIVISION = `${DECLARATIONS}x\nof\n/await tools.one()/g`;

test("the preview of any text names every tool that QuickJS calls, or is dynamic", async () => {
  let called: string[] = [];
  const tools = ["one", "two"].map((name) => reader(name, () => called.push(name)));
  const dispatcher = createDispatcher({ tools: tools as never, extensions: [createPrograms()] });
  let ran = 0;
  const property = fc.asyncProperty(soup, async (code) => {
    called = [];
    await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]);
    const preview = previewProgram(code);
    ran += called.length;
    if (!preview.dynamic) expect(preview.tools).toEqual(expect.arrayContaining(called));
  });
  await fc.assert(property, { examples: [[REGEXP_OR_DIVISION]] });
  expect(ran).toBeGreaterThan(0);
});

test("a program that is rewritten has the preview of its text", () => {
  let compared = 0;
  const property = fc.property(soup, (code) => {
    let rewritten: string;
    try {
      rewritten = rewriteProgram(
        `for (let i = 0; i < 2; i += 1) { try { let p = 1; () => p; ${code} } catch {} }`,
      ).code;
    } catch {
      return;
    }
    compared += 1;
    expect(previewProgram(rewritten)).toEqual(previewProgram(code));
  });
  fc.assert(property);
  expect(compared).toBeGreaterThan(0);
});
