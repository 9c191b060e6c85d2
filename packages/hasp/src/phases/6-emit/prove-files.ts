import type { JsonObject, JsonValue } from "@hasp/schema";
import type { BuildToEmit } from "../../emitters/emitter.js";
import { keptDigestOfText } from "../../emitters/digest.js";
import { losses } from "../../emitters/losses.js";
import { providerListJson } from "../../emitters/provider-list-json.js";
import { toolModule } from "../../emitters/tool-module.js";
import type { OutputFile } from "../../model/output.js";
import { ownMember } from "../../model/own.js";
import { isSameJson } from "../../typescript/same-json.js";
import type { EmittedTool } from "./emit-tool.js";
import { fault } from "./fault.js";

/**
 * The files are the parts that were proved, each in its place. A module is one part; a JSON file is read with a number in
 * the place of each part, so that its frame is held against the build and nothing is parsed twice.
 */
export function proveFiles(build: BuildToEmit, tools: readonly EmittedTool[], files: readonly OutputFile[]): void {
  const { layout } = build;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const textOf = (path: string): string => texts.get(path) ?? fault(path, "it was not written");
  const emitted = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool => emitted.get(name) ?? fault(layout.registry, `nothing was emitted for ${name}`);
  for (const { name, names } of build.tools) {
    const path = layout.toolModule(names);
    if (textOf(path) !== toolCalled(name).parts[toolModule.name]) fault(path, "it is not what was proved");
  }
  for (const { name, lists } of build.toolsets) {
    for (const { dialect, tools: listed } of lists) {
      const path = layout.providerList(name, dialect, "json");
      const pieces = listed.map((tool) => text(toolCalled(tool).parts[providerListJson.name], dialect));
      expectFrame(path, textOf(path), pieces, pieces.map((_, index) => index));
    }
  }
  proveLosses(build, toolCalled, textOf(layout.losses));
  proveManifest(build, toolCalled, textOf(layout.manifest), files);
}

/** Every tool of every list has its losses there, or the reason why it is left out, and nobody else has. */
function proveLosses({ toolsets, layout }: BuildToEmit, toolCalled: (name: string) => EmittedTool, written: string): void {
  const pieces: string[] = [];
  const lists = toolsets.flatMap((toolset) => toolset.lists);
  const frame: Record<string, JsonObject> = {};
  for (const { dialect } of lists) {
    if (Object.hasOwn(frame, dialect)) continue;
    const told = (key: "tools" | "excluded", part: "losses" | "excluded"): JsonObject => {
      const names = new Set(lists.filter((list) => list.dialect === dialect).flatMap((list) => list[key]));
      return Object.fromEntries(
        [...names].toSorted().flatMap((name) => {
          const piece = text(ownMember(toolCalled(name).parts[losses.name], dialect), part);
          return piece === "" ? [] : [[name, pieces.push(piece) - 1]];
        }),
      );
    };
    frame[dialect] = { losses: told("tools", "losses"), excluded: told("excluded", "excluded") };
  }
  expectFrame(layout.losses, written, pieces, frame);
}

function proveManifest(build: BuildToEmit, toolCalled: (name: string) => EmittedTool, written: string, files: readonly OutputFile[]): void {
  const { tools, toolsets, layout, plan, inputs } = build;
  const outputs = files.filter(({ owner, path }) => owner === "hasp" && path !== layout.manifest).map((file) => [file.path, keptDigestOfText(file.text)]);
  const lists = toolsets.map((toolset) => [toolset.name, Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools]))]);
  expectFrame(layout.manifest, written, tools.map(({ name }) => toolCalled(name).manifest), {
    hasp: 1,
    ...(plan.unlocked ? { unlocked: true } : {}),
    toolsets: Object.fromEntries(lists) as JsonObject,
    tools: Object.fromEntries(tools.map(({ name }, index) => [name, index])),
    inputs,
    outputs: Object.fromEntries(outputs) as JsonObject,
  });
}

/** The file is the pieces in their order, and what stands around them is the frame. */
function expectFrame(path: string, written: string, pieces: readonly string[], expected: JsonValue): void {
  const frame: string[] = [];
  let position = 0;
  for (const [index, piece] of pieces.entries()) {
    const at = written.indexOf(piece, position);
    if (at < 0) fault(path, "a part that was proved is not in it");
    frame.push(written.slice(position, at), String(index));
    position = at + piece.length;
  }
  frame.push(written.slice(position));
  if (!isSameJson(parsed(frame.join("")), expected)) fault(path, "its parts do not stand where they belong");
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** The text under a key, or none. */
function text(value: JsonValue | undefined, key: string): string {
  const found = ownMember(value, key);
  return typeof found === "string" ? found : "";
}
