import type { JsonObject, JsonValue } from "@hasp/schema";
import type { BuildToEmit } from "../../emitters/base/emitter.js";
import { digestOfText } from "../../emitters/base/digest.js";
import { handlerModules } from "../../emitters/handler-modules.js";
import { losses } from "../../emitters/losses.js";
import { gatesOf, isWrittenAsJson, providerListJson } from "../../emitters/provider-list-json.js";
import { toolModule } from "../../emitters/tool-module.js";
import { isList } from "../../model/json-kind.js";
import type { OutputFile } from "../../model/output.js";
import { ownMember } from "../../model/own.js";
import { groupBy } from "../../model/group-by.js";
import { isSameJson } from "../../model/same-json.js";
import type { EmittedTool } from "./assemble.js";
import { fault } from "./fault.js";
import { proveFrame } from "./frame.js";
import { proveConnections } from "./prove-connections.js";
import type { Prepared } from "./prepare.js";

/**
 * Proves that the files consist of the proved parts, each in its place. A module is one part. A JSON file is parsed
 * with a number in place of each part, so that no part is parsed twice. Throws otherwise, which is a bug in hasp.
 */
export function proveFiles(
  { build, inputs }: Prepared,
  tools: readonly EmittedTool[],
  files: readonly OutputFile[],
): void {
  const { layout } = build;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const fileAt = (path: string): OutputFile => byPath.get(path) ?? fault(path, "it was not written");
  const emitted = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool =>
    emitted.get(name) ?? fault(layout.registry, `nothing was emitted for ${name}`);
  for (const { name, names } of build.tools) {
    const path = layout.toolModule(names);
    const { parts } = toolCalled(name);
    if (fileAt(path).text !== parts[toolModule.name]) fault(path, "it is not what was proved");
    const handler = layout.declaredHandler(names);
    const declared = parts[handlerModules.name];
    if (typeof declared === "string" && fileAt(handler).text !== declared) fault(handler, "it is not what was proved");
  }
  proveConnections(build, files);
  const gates = gatesOf(build.tools);
  for (const { name, lists } of build.toolsets) {
    for (const list of lists) {
      const pieceOf = (tool: string): string =>
        text(ownMember(toolCalled(tool).parts[providerListJson.name], list.dialect));
      if (!isWrittenAsJson(list.tools.map(pieceOf))) continue;
      const ungated = list.tools.filter((tool) => !gates.has(tool));
      proveList(fileAt(layout.providerList(name, list.dialect, "json")), ungated.map(pieceOf));
      const gated = list.tools.filter((tool) => gates.has(tool));
      if (gated.length > 0) proveGated(fileAt(layout.gatedList(name, list.dialect)), gated, gates, pieceOf);
    }
  }
  proveLosses(fileAt(layout.losses), build, toolCalled);
  proveManifest(fileAt(layout.manifest), build, inputs, toolCalled, files);
}

function proveList(file: OutputFile, pieces: readonly string[]): void {
  proveFrame(
    file,
    pieces,
    (frame) => isList(frame) && frame.length === pieces.length && frame.every((place, index) => place === index),
  );
}

/** Checks that the tools of a list that are behind gates stand under theirs, in order. */
function proveGated(
  file: OutputFile,
  tools: readonly string[],
  gates: ReadonlyMap<string, string>,
  pieceOf: (tool: string) => string,
): void {
  const byGate = groupBy(tools, (tool) => gates.get(tool) ?? "");
  const expected = [...byGate].map(([gate, of]) => [gate, of.map((tool) => JSON.parse(pieceOf(tool)) as JsonValue)]);
  if (!isSameJson(JSON.parse(file.text) as JsonValue, Object.fromEntries(expected) as JsonObject)) {
    fault(file.path, "its tools are not behind their own gates");
  }
}

/** Checks that exactly the tools of each list have their losses, or the reason for their exclusion. */
function proveLosses(file: OutputFile, { toolsets }: BuildToEmit, toolCalled: (name: string) => EmittedTool): void {
  const pieces: string[] = [];
  const byDialect = groupBy(
    toolsets.flatMap(({ lists }) => lists),
    ({ dialect }) => dialect,
  );
  const sections = [...byDialect].flatMap(([dialect, lists]) =>
    (
      [
        ["losses", "tools"],
        ["excluded", "excluded"],
      ] as const
    ).map(([key, members]) => {
      const entries: (readonly [tool: string, place: number])[] = [];
      for (const name of [...new Set(lists.flatMap((list) => list[members]))].toSorted()) {
        const piece = text(ownMember(ownMember(toolCalled(name).parts[losses.name], dialect), key));
        if (piece !== "") entries.push([name, pieces.push(piece) - 1]);
      }
      return { dialect, key, entries };
    }),
  );
  proveFrame(
    file,
    pieces,
    (frame) =>
      size(frame) === byDialect.size &&
      sections.every(
        ({ dialect, key, entries }) =>
          size(ownMember(frame, dialect)) === 2 && isRecordOf(ownMember(ownMember(frame, dialect), key), entries),
      ),
  );
}

function proveManifest(
  file: OutputFile,
  { tools, toolsets, layout, plan }: BuildToEmit,
  inputs: Prepared["inputs"],
  toolCalled: (name: string) => EmittedTool,
  files: readonly OutputFile[],
): void {
  const lists = toolsets.map((toolset) => [
    toolset.name,
    Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools])),
  ]);
  const outputs = files.filter(({ owner, path }) => owner === "hasp" && path !== layout.manifest);
  proveFrame(
    file,
    tools.map(({ name }) => toolCalled(name).manifest),
    (frame) => {
      const { tools: places, inputs: read, outputs: made, ...rest } = record(frame);
      return (
        isSameJson(rest, {
          hasp: 1,
          ...(plan.unlocked ? { unlocked: true } : {}),
          ...(plan.exclude.length > 0
            ? { excluded: Object.fromEntries(plan.exclude.map(({ tool, reason }) => [tool, reason])) }
            : {}),
          toolsets: Object.fromEntries(lists) as JsonObject,
        }) &&
        isRecordOf(
          places,
          tools.map(({ name }, index) => [name, index]),
        ) &&
        isRecordOf(read, [...inputs]) &&
        isRecordOf(
          made,
          outputs.map((output) => [output.path, digestOfText(output.text)]),
        )
      );
    },
  );
}

function isRecordOf(
  value: JsonValue | undefined,
  entries: readonly (readonly [key: string, value: JsonValue])[],
): boolean {
  return size(value) === entries.length && entries.every(([key, expected]) => ownMember(value, key) === expected);
}

function record(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function size(value: JsonValue | undefined): number {
  return Object.keys(record(value)).length;
}

/** Returns a string, or "" for any other value. */
function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
