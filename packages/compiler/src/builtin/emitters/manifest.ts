import type { JsonObject } from "@hasp/schema";
import type { OutputFile } from "../../model/document.js";
import { toolFacts } from "../../plugins/compiled-model.js";
import { jsonText, recordOfTexts } from "../../typescript/json-text.js";
import { digestText } from "./base/module-text.js";
import { handlerFile } from "../../typescript/layout.js";
import { VERSION } from "./base/version.js";
import type { BuildToEmit, PartOf, ToolToEmit } from "./base/emitter.js";

/** Prints one tool's entry of the manifest on one line, so that branches that each add a tool merge. */
export function printManifestPart(emitted: ToolToEmit): string {
  return JSON.stringify(manifestEntry(emitted));
}

/** Prints `manifest.json` with digests of inputs and outputs, by which the writer recognises edited files. */
export function printManifest(
  { layout, plan, toolsets, tools }: BuildToEmit,
  inputs: ReadonlyMap<string, string>,
  partOf: PartOf<string>,
  files: readonly OutputFile[],
): OutputFile {
  const outputs = files
    .filter(({ owner }) => owner === "hasp")
    .map((file) => [file.path, digestText(file.text)] as const);
  const lists = toolsets.map((toolset) => [
    toolset.name,
    Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools])),
  ]);
  const entries = [
    ["hasp", "1"],
    ["version", JSON.stringify(VERSION)],
    ...(plan.unlocked ? [["unlocked", "true"] as const] : []),
    ...(plan.exclude.length > 0
      ? [
          [
            "excluded",
            recordOfTexts(
              plan.exclude.map(({ tool, reason }) => [tool, JSON.stringify(reason)]),
              2,
            ),
          ] as const,
        ]
      : []),
    ...((plan.plugins ?? []).length > 0
      ? [
          [
            "plugins",
            recordOfTexts(
              (plan.plugins ?? []).map(({ name, digest }) => [name, JSON.stringify(digest)]),
              2,
            ),
          ] as const,
        ]
      : []),
    ["toolsets", jsonText(Object.fromEntries(lists) as JsonObject, 2)],
    [
      "tools",
      recordOfTexts(
        tools.map(({ name }) => [name, partOf(name)]),
        2,
      ),
    ],
    ["inputs", digestRecord(inputs)],
    ["outputs", digestRecord(outputs)],
  ] as const;
  return { path: layout.manifest, owner: "hasp", text: `${recordOfTexts(entries, 0)}\n` };
}

function manifestEntry({ tool, names, layout }: ToolToEmit): JsonObject {
  const { spec, ...facts } = toolFacts(tool);
  return { spec, handler: handlerFile(tool, names, layout), ...facts };
}

function digestRecord(digests: Iterable<readonly [path: string, digest: string]>): string {
  return recordOfTexts(
    Array.from(digests, ([path, digest]) => [path, `"${digest}"`]),
    2,
  );
}
