import { describe, expect, test } from "vitest";
import { addExports, type WantedExports } from "./add-exports.js";

const wanted: WantedExports = {
  functions: [
    {
      name: "isSmall",
      text: 'export const isSmall: PayHandler["isSmall"] = (_input) => {\n  throw new NotExecuted("…");\n};',
    },
    { name: "isKnown", text: 'export const isKnown: PayHandler["isKnown"] = (_input) => true;' },
  ],
  imports: [
    { name: "NotExecuted", from: "@hasp/runtime", isType: false },
    { name: "PayHandler", from: "../generated/tools/pay.js", isType: true },
  ],
};
const [isSmall = { text: "" }, isKnown = { text: "" }] = wanted.functions;

/**
 * Returns whether `after` holds the characters of `before` in their order, which is all that adding may leave of it.
 */
function holds(after: string, before: string): boolean {
  let at = 0;
  for (const character of before) {
    at = after.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe("adding exports", () => {
  test("adds what is missing at the end, and the imports that it needs behind the others", () => {
    const before = `// Ours since 2020.\nimport  {x}  from "x"\nimport type { PayHandler } from "../generated/tools/pay.js";\n\nexport const execute = () => x ;   // as we like it\nexport function isKnown() { return true }\n`;
    expect(addExports(before, wanted)).toEqual({
      added: ["isSmall"],
      text: `// Ours since 2020.\nimport  {x}  from "x"\nimport type { PayHandler } from "../generated/tools/pay.js";\nimport { NotExecuted } from "@hasp/runtime";\n\nexport const execute = () => x ;   // as we like it\nexport function isKnown() { return true }\n\n${isSmall.text}\n`,
    });
  });

  test.each([
    ["a directive and no import", '"use strict";\nconst a = 1;\nexport { a as execute };'],
    ["a licence", "/* Licence */\nexport const execute = 1;\n"],
    ["CRLF", 'import { y } from "y";\r\n\r\nexport const execute = y;\r\n'],
    ["nothing at all", ""],
    ["no line break at the end", 'import "y"; export default 1'],
  ])("keeps every character: %s", (_, before) => {
    const result = addExports(before, wanted);
    if ("problem" in result) throw new Error(result.problem);
    expect(result.added).toEqual(["isSmall", "isKnown"]);
    expect(holds(result.text, before)).toBe(true);
    expect(result.text.includes("\r\n") && /[^\r]\n/u.test(result.text)).toBe(false);
    expect(result.text.replaceAll("\r\n", "\n")).toContain(`${isSmall.text}\n\n${isKnown.text}\n`);
    // What was added is found again: a second time changes nothing.
    expect(addExports(result.text, wanted)).toEqual({ text: result.text, added: [] });
  });

  test.each([
    ['export { isSmall, known as isKnown } from "./judge.js";'],
    ["const isSmall = 1, isKnown = 2; export { isSmall, isKnown };"],
    ["export const { isSmall, other: isKnown } = judge;"],
    ["export async function isSmall() {}\nexport let isKnown;"],
  ])("finds what is exported already: %s", (text) => {
    expect(addExports(text, wanted)).toEqual({ text, added: [] });
  });

  test.each([
    ["export const = ;", "TypeScript cannot read it"],
    ['export * from "./all.js";', "all of another module"],
    ["const isSmall = 1;", "`isSmall` is something there that is not exported"],
    ['import NotExecuted from "elsewhere";', "`NotExecuted` is something else there"],
    ["interface PayHandler {}", "`PayHandler` is something else there"],
  ])("leaves alone: %s", (text, problem) => {
    const result = addExports(text, wanted);
    expect("problem" in result && result.problem).toContain(problem);
  });
});
