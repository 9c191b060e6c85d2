import type { JsonObject, JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import type { OutputFile } from "../../model/output.js";
import { jsonText, listOfTexts } from "../../typescript/json-text.js";
import { emitTool } from "./assemble.js";
import { emit, proofOfBuild } from "./index.js";
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
const emitted = await Promise.all(prepared.tools.map((tool) => emitTool(tool, proofOfBuild())));
const files = (await emit(input)).value;
const list = "src/generated/providers/anthropic.json";
const manifest = "src/generated/manifest.json";

const withText = (path: string, change: (text: string) => string): readonly OutputFile[] =>
  files.map((file) => (file.path === path ? { ...file, text: change(file.text) } : file));
/** The list with other entries, printed as the emitter prints it. */
const withEntries =
  (change: (entries: readonly JsonValue[]) => readonly JsonValue[]) =>
  (text: string): string =>
    listOfTexts(change(JSON.parse(text) as readonly JsonValue[]).map((entry) => jsonText(entry, 2)));

describe("files", () => {
  test("of the parts that were proved are sound", () => {
    proveFiles(prepared, emitted, files);
    expect(files.map(({ text }) => text)).toEqual(
      withText(
        list,
        withEntries((entries) => entries),
      ).map(({ text }) => text),
    );
  });

  test.each<[string, string, (text: string) => string]>([
    ["two tools in each other's place", list, withEntries(([a = null, b = null, ...others]) => [b, a, ...others])],
    ["a tool left out", list, withEntries(([a = null, _b, ...others]) => [a, ...others])],
    ["a tool twice", list, withEntries(([a = null, ...others]) => [a, a, ...others])],
    ["something between", list, withEntries(([a = null, ...others]) => [a, null, ...others])],
    [
      "another tool's entry",
      list,
      withEntries(([a = null, b, ...others]) => [a, { ...(b as JsonObject), name: "c" }, ...others]),
    ],
    ["no end", list, (text) => text.slice(0, -2)],
    ["no JSON around the tools", list, (text) => `[${text}`],
    ["a name in another's place", manifest, (text) => text.replace('"b": ', '"d": ')],
    ["another digest", manifest, (text) => text.replace(/"sha256-.{4}/u, '"sha256-AAAA')],
  ])("with %s are a fault", (_, path, change) => {
    const changed = withText(path, change);
    expect(changed).not.toEqual(files);
    expect(() => proveFiles(prepared, emitted, changed)).toThrow(`hasp generated ${path}`);
  });

  test("are a fault once they are to be something else", () => {
    const [first, ...others] = emitted;
    if (first === undefined) return expect.fail("nothing was emitted");
    const parts = JSON.parse(
      JSON.stringify(first.parts).replaceAll("The tool a.", "The tool z."),
    ) as typeof first.parts;
    const module = { ...parts, "tool-module": first.parts["tool-module"] ?? null };
    expect(() => proveFiles(prepared, [{ ...first, parts: module }, ...others], files)).toThrow(
      `hasp generated ${list}`,
    );
  });
});
