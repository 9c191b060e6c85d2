import { describe, expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import type { OutputFile } from "../../model/output.js";
import { emitTool } from "./emit-tool.js";
import { emit } from "./index.js";
import { prepare } from "./prepare.js";
import { proveFiles } from "./prove-files.js";

const tools = ["a", "b", "c"].map((name) =>
  flatTool({
    name,
    description: `The tool ${name}.`,
    input: { type: "object", properties: {}, additionalProperties: false },
  }),
);
const input = { tools, toolsets: [anthropicToolset(tools)], plan };
const prepared = prepare(input);
const emitted = prepared.tools.map(emitTool);
const files = (await emit(input)).value;
const list = "src/generated/providers/anthropic.json";
const manifest = "src/generated/manifest.json";

/** The files with another text in one of them. */
const withText = (path: string, change: (text: string) => string): readonly OutputFile[] =>
  files.map((file) => (file.path === path ? { ...file, text: change(file.text) } : file));
const entryOf = (text: string, index: number): string => text.split(/(?<=^ {2}\}),\n|\[\n|\n\]/mu)[index + 1] ?? "";

describe("files that are put together from parts", () => {
  test.each<[string, string, (text: string) => string]>([
    [
      "two tools in each other's place",
      list,
      (text) =>
        text
          .replace(entryOf(text, 0), "first")
          .replace(entryOf(text, 1), entryOf(text, 0))
          .replace("first", entryOf(text, 1)),
    ],
    ["a tool left out", list, (text) => text.replace(`${entryOf(text, 1)},\n`, "")],
    ["a tool twice", list, (text) => text.replace("\n]", `,\n${entryOf(text, 0)}\n]`)],
    ["something between", list, (text) => text.replace(entryOf(text, 1), `null,${entryOf(text, 1)}`)],
    ["no end", list, (text) => text.slice(0, -2)],
    ["no JSON around the tools", list, (text) => `[${text}`],
    ["another tool's entry", list, (text) => text.replace('"name": "b"', '"name": "c"')],
    ["a name in another's place", manifest, (text) => text.replace('"b": ', '"d": ')],
    ["another digest", manifest, (text) => text.replace(/"sha256-.{4}/u, '"sha256-AAAA')],
  ])("with %s are a fault", (_, path, change) => {
    expect(withText(path, change)).not.toEqual(files);
    expect(() => proveFiles(prepared, emitted, withText(path, change))).toThrow(`hasp made a fault in ${path}`);
  });

  test("that were proved are a fault once they are to be something else", () => {
    proveFiles(prepared, emitted, files);
    const [first, ...others] = emitted;
    if (first === undefined) return expect.fail("nothing was emitted");
    const parts = JSON.parse(
      JSON.stringify(first.parts).replaceAll("The tool a.", "The tool z."),
    ) as typeof first.parts;
    const module = { ...parts, "tool-module": first.parts["tool-module"] ?? null };
    expect(() => proveFiles(prepared, [{ ...first, parts: module }, ...others], files)).toThrow(
      `hasp made a fault in ${list}`,
    );
  });
});
