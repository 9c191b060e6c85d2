import { describe, expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import { fileOfPieces, type OutputFile, piecesOf } from "../../model/output.js";
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

/** The files with one of them made of other pieces. */
const withPieces = (path: string, change: (pieces: readonly string[]) => readonly string[]): readonly OutputFile[] =>
  files.map((file) => (file.path === path ? fileOfPieces({ ...file, pieces: change(piecesOf(file)) }) : file));
const entries = (pieces: readonly string[]): readonly number[] =>
  pieces.flatMap((piece, place) => (piece.includes('"name"') ? [place] : []));
const swapped = (pieces: readonly string[], one: number, other: number): readonly string[] =>
  pieces.with(one, pieces[other] ?? "").with(other, pieces[one] ?? "");

describe("files that are made of pieces", () => {
  test("are proved without their text", () => {
    const large = new Set(files.filter((file) => piecesOf(file).length > 1));
    expect([...large].map(({ path }) => path)).toContain(list);
    const unread = files.map((file) => {
      if (!large.has(file) || file.path.endsWith(".ts")) return file;
      const same = fileOfPieces({ ...file, pieces: piecesOf(file) });
      Object.defineProperty(same, "text", { get: () => expect.fail(`${file.path} was joined`) });
      return same;
    });
    proveFiles(prepared, emitted, unread);
  });

  test.each<[string, string, (pieces: readonly string[]) => readonly string[]]>([
    [
      "two tools in each other's place",
      list,
      (pieces) => swapped(pieces, entries(pieces)[0] ?? 0, entries(pieces)[1] ?? 0),
    ],
    ["a tool left out", list, (pieces) => pieces.filter((_, place) => place !== entries(pieces)[1])],
    ["a tool twice", list, (pieces) => [...pieces.slice(0, -1), pieces[1] ?? "", pieces.at(-1) ?? ""]],
    ["something between", list, (pieces) => pieces.toSpliced(2, 0, "null,")],
    ["no end", list, (pieces) => pieces.slice(0, -1)],
    ["no JSON around the tools", list, (pieces) => ["[[", ...pieces.slice(1)]],
    ["another tool's entry", list, (pieces) => pieces.map((piece) => piece.replace('"name": "b"', '"name": "c"'))],
    ["a name in another's place", manifest, (pieces) => pieces.map((piece) => piece.replace('"b": ', '"d": '))],
    ["another digest", manifest, (pieces) => pieces.map((piece) => piece.replace(/"sha256-.{4}/u, '"sha256-AAAA'))],
  ])("with %s are a fault", (_, path, change) => {
    expect(() => proveFiles(prepared, emitted, withPieces(path, change))).toThrow(`hasp made a fault in ${path}`);
    // What was proved before is no excuse.
    proveFiles(prepared, emitted, files);
    expect(() => proveFiles(prepared, emitted, withPieces(path, change))).toThrow(`hasp made a fault in ${path}`);
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
