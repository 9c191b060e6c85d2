import { readFileSync } from "node:fs";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import type { FlatTool } from "@hasp/compiler/plugin";
import { checkTemplate, stubTemplates } from "@hasp/compiler/source";
import { anthropicToolset, flatTool, plan } from "../../../../test/compiler/flat-tool.testing.js";
import { emitFiles } from "../../../../test/compiler/built-in.testing.js";
import { fillPlaceholders } from "@hasp/base/diagnostics";

const payTool = (): FlatTool =>
  flatTool(
    {
      name: "pay",
      description: "Pay it.",
      input: { type: "object", properties: {}, additionalProperties: false },
      validate: [{ custom: "isKnown" }],
    },
    { customFunctions: ["isKnown"], checks: [{ index: 0, that: { kind: "custom", name: "isKnown" } }] },
  );
const stubWith = async (templates: typeof plan.stubTemplates): Promise<string | undefined> => {
  const ownPlan = { ...plan, ...(templates === undefined ? {} : { stubTemplates: templates }) };
  // A tool of its own: its facts are those of one plan.
  const pay = payTool();
  const { value } = await emitFiles({ tools: [pay], toolsets: [anthropicToolset([pay])], plan: ownPlan });
  return value.find(({ path }) => path === "src/tools/pay.ts")?.text;
};
const ours = (name: string): string =>
  readFileSync(new URL(`../../../../templates/stub/${name}`, import.meta.url), "utf8");

test("a placeholder is replaced by its own value only, whatever that holds", () => {
  expect(fillPlaceholders("__A__ __B__ __proto__ __CONSTRUCTOR__ __A_B__", { A: "__B__ $& $1", B: "b" })).toBe(
    "__B__ $& $1 b __proto__ __CONSTRUCTOR__ __A_B__",
  );
});

describe("stubs", () => {
  test("made from the templates that hasp shows are those that it makes without any", async () => {
    const made = (await stubWith({ handler: ours("handler.ts"), customFunction: ours("custom-function.ts") })) ?? "";
    expect(await format(made, { parser: "typescript" })).toBe(await stubWith(undefined));
  });

  test("a stub is made from the project's own template, with each value in its place", async () => {
    const handler =
      'import type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";\n\n// __TOOL_NAME__\n__DOCSTRING__\nexport const execute: __HANDLER_TYPE__["execute"] = todo("__MESSAGE__");\n';
    expect(await stubWith({ handler, customFunction: "export const __FUNCTION_NAME__: __HANDLER_TYPE__ = no;" })).toBe(
      `import type { PayHandler } from "../generated/tools/pay.js";

// pay
/** Pay it. */
export const execute: PayHandler["execute"] = todo("pay does nothing yet: write it in src/tools/pay.ts.");

export const isKnown: PayHandler = no;
`,
    );
  });
});

describe("a bad template", () => {
  const source = (text: string) => ({ uri: "hasp-templates/stub/handler.ts", text, role: "config" as const });

  test("is left out, and its faults are found at their places", () => {
    const { value, diagnostics } = stubTemplates([
      source('import type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";\n\nexport const execute = __MESAGE__;\n'),
    ]);
    expect(value).toBe(undefined);
    expect(
      diagnostics.map(({ code, message, location }) => [
        code,
        message,
        location?.uri,
        location?.range.start.line,
        location?.range.start.column,
      ]),
    ).toEqual([
      [
        "template/unknown-placeholder",
        'Unknown placeholder __MESAGE__. Did you mean "__MESSAGE__"?',
        "hasp-templates/stub/handler.ts",
        3,
        24,
      ],
    ]);
  });

  test("reports a template that lacks a required placeholder", () => {
    const found = checkTemplate(source("export {};\n"), { known: ["HANDLER_TYPE"], required: ["HANDLER_TYPE"] });
    expect(found.map(({ code }) => code)).toEqual(["template/missing-placeholder"]);
  });
});
