import type { JsonObject, JsonValue } from "@hasp/schema";
import type { BuildToEmit } from "../../emitters/emitter.js";
import { digestOfFile } from "../../emitters/digest.js";
import { losses } from "../../emitters/losses.js";
import { providerListJson } from "../../emitters/provider-list-json.js";
import { toolModule } from "../../emitters/tool-module.js";
import type { OutputFile } from "../../model/output.js";
import { ownMember } from "../../model/own.js";
import { groupBy } from "../../typescript/group-by.js";
import { isSameJson } from "../../typescript/same-json.js";
import type { EmittedTool } from "./emit-tool.js";
import { fault } from "./fault.js";

/**
 * The files are the parts that were proved, each in its place. A module is one part; a JSON file is read with a number in
 * the place of each part, so that its frame is held against the build and nothing is parsed twice.
 */
export function proveFiles(build: BuildToEmit, tools: readonly EmittedTool[], files: readonly OutputFile[]): void {
  const { layout } = build;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const fileAt = (path: string): OutputFile => byPath.get(path) ?? fault(path, "it was not written");
  const emitted = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool => emitted.get(name) ?? fault(layout.registry, `nothing was emitted for ${name}`);
  for (const { name, names } of build.tools) {
    const path = layout.toolModule(names);
    if (fileAt(path).text !== toolCalled(name).parts[toolModule.name]) fault(path, "it is not what was proved");
  }
  for (const { name, lists } of build.toolsets) {
    for (const { dialect, tools: listed } of lists) {
      const path = layout.providerList(name, dialect, "json");
      const pieces = listed.map((tool) => text(toolCalled(tool).parts[providerListJson.name], dialect));
      proveFrame(fileAt(path), { pieces, frameName: ["list"] }, (frame) => isSameJson(frame, pieces.map((_, index) => index)));
    }
  }
  proveLosses(build, toolCalled, fileAt(layout.losses));
  proveManifest(build, toolCalled, fileAt(layout.manifest), files);
}

/** Every tool of every list has its losses there, or the reason why it is left out, and nobody else has. */
function proveLosses({ toolsets }: BuildToEmit, toolCalled: (name: string) => EmittedTool, file: OutputFile): void {
  const pieces: string[] = [];
  const byDialect = groupBy(toolsets.flatMap(({ lists }) => lists), ({ dialect }) => dialect);
  const sections = [...byDialect].flatMap(([dialect, lists]) =>
    ([["losses", "tools"], ["excluded", "excluded"]] as const).map(([key, members]) => {
      const entries: (readonly [tool: string, place: number])[] = [];
      for (const name of [...new Set(lists.flatMap((list) => list[members]))].toSorted()) {
        const piece = text(ownMember(toolCalled(name).parts[losses.name], dialect), key);
        if (piece !== "") entries.push([name, pieces.push(piece) - 1]);
      }
      return { dialect, key, entries };
    }),
  );
  const frameName = sections.flatMap(({ dialect, key, entries }) => [dialect, key, ...entries.map(([tool]) => tool)]);
  proveFrame(
    file,
    { pieces, frameName },
    (frame) =>
      size(frame) === byDialect.size &&
      sections.every(({ dialect, key, entries }) => size(ownMember(frame, dialect)) === 2 && isRecordOf(ownMember(ownMember(frame, dialect), key), entries)),
  );
}

function proveManifest(build: BuildToEmit, toolCalled: (name: string) => EmittedTool, file: OutputFile, files: readonly OutputFile[]): void {
  const { tools, toolsets, layout, plan, inputs } = build;
  const lists = toolsets.map((toolset) => [toolset.name, Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools]))]);
  const outputs = files.filter(({ owner, path }) => owner === "hasp" && path !== layout.manifest);
  const pieces = tools.map(({ name }) => toolCalled(name).manifest);
  proveFrame(file, { pieces }, (frame) => {
    const { tools: places, inputs: read, outputs: made, ...rest } = record(frame);
    return (
      isSameJson(rest, { hasp: 1, ...(plan.unlocked ? { unlocked: true } : {}), toolsets: Object.fromEntries(lists) as JsonObject }) &&
      isRecordOf(places, tools.map(({ name }, index) => [name, index])) &&
      isRecordOf(read, [...inputs]) &&
      isRecordOf(made, outputs.map((output) => [output.path, digestOfFile(output)]))
    );
  });
}

/** What a file must be: these pieces in their order, in a frame. */
interface Expected {
  readonly pieces: readonly string[];
  /** Words that no other frame has; left out where the frame is another in every build. */
  readonly frameName?: readonly string[];
}

const proofs = new WeakMap<OutputFile, Expected>();

/** The file is the pieces, and what stands around them is the frame. A file of which just that was proved before is not read again. */
function proveFrame(file: OutputFile, expected: Expected, isFrame: (frame: JsonValue) => boolean): void {
  const { pieces, frameName } = expected;
  const proved = proofs.get(file);
  if (proved !== undefined && isSameList(proved.pieces, pieces) && isSameList(proved.frameName, frameName)) return;
  const frame: string[] = [];
  let position = 0;
  for (const [index, piece] of pieces.entries()) {
    const at = placeOf(piece, file.text, position);
    if (at === undefined) return fault(file.path, "a part that was proved is not in it");
    frame.push(file.text.slice(position, at), String(index));
    position = at + piece.length;
  }
  frame.push(file.text.slice(position));
  if (!isFrame(parsed(frame.join("")))) fault(file.path, "its parts do not stand where they belong");
  if (frameName !== undefined) proofs.set(file, expected);
}

/** So much of a piece is looked for; the rest is compared, which is much cheaper. */
const START = 16;

function placeOf(piece: string, within: string, from: number): number | undefined {
  const start = piece.slice(0, START);
  for (let at = within.indexOf(start, from); at !== -1; at = within.indexOf(start, at + 1)) {
    if (within.slice(at, at + piece.length) === piece) return at;
  }
  return undefined;
}

function isSameList(left: readonly string[] | undefined, right: readonly string[] | undefined): boolean {
  return left !== undefined && right !== undefined && left.length === right.length && left.every((piece, index) => piece === right[index]);
}

function isRecordOf(value: JsonValue | undefined, entries: readonly (readonly [key: string, value: JsonValue])[]): boolean {
  return size(value) === entries.length && entries.every(([key, expected]) => ownMember(value, key) === expected);
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function record(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function size(value: JsonValue | undefined): number {
  return Object.keys(record(value)).length;
}

/** The text under a key, or none. */
function text(value: JsonValue | undefined, key: string): string {
  const found = ownMember(value, key);
  return typeof found === "string" ? found : "";
}
