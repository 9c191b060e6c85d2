import type { JsonObject, JsonValue } from "@hasp/schema";
import type { OutputFile } from "../model/output.js";
import { jsonPiece, recordOfPieces } from "../typescript/json-pieces.js";
import { keptDigestOfText } from "./digest.js";
import { type BuildToEmit, partOf, type ToolToEmit } from "./emitter.js";
import { metadataOf } from "./metadata.js";

/** What the manifest says of one tool, as text: its spec, its handler, every behavioural fact, what it relaxes. */
export function manifestPart(emitted: ToolToEmit): string {
  return jsonPiece(manifestEntry(emitted), 4);
}

/**
 * `manifest.json`: what was built from what. It is no emitter like the others, for it digests what they made. The writer
 * reads the outputs' digests of the last build to tell what hasp made from what somebody edited.
 */
export function manifestFile(build: BuildToEmit, parts: ReadonlyMap<string, string>, files: readonly OutputFile[]): OutputFile {
  const { layout, plan, toolsets, tools, inputs } = build;
  const outputs = files.filter(({ owner }) => owner === "hasp").map(({ path, text }) => [path, keptDigestOfText(text)] as const);
  const lists = toolsets.map((toolset) => [toolset.name, Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools]))]);
  const entries = [
    ["hasp", "1"],
    ...(plan.unlocked ? [["unlocked", "true"] as const] : []),
    ["toolsets", jsonPiece(Object.fromEntries(lists) as JsonObject, 2)],
    ["tools", recordOfPieces(tools.map(({ name }) => [name, partOf(parts, name)]), 2)],
    ["inputs", jsonPiece(sorted(Object.entries(inputs)), 2)],
    ["outputs", jsonPiece(sorted(outputs), 2)],
  ] as const;
  return { path: layout.manifest, owner: "hasp", text: `${recordOfPieces(entries, 0)}\n` };
}

function manifestEntry({ tool, names, layout }: ToolToEmit): JsonObject {
  const { spec, worstCase } = tool;
  const extensions = Object.entries(spec).filter(([key, value]) => key.startsWith("x-") && value !== undefined);
  return {
    spec: tool.document.uri + (tool.pointer === "" ? "" : `#${tool.pointer}`),
    handler: layout.handler(names),
    ...(spec.owner === undefined ? {} : { owner: spec.owner }),
    ...(spec.tags === undefined ? {} : { tags: spec.tags }),
    metadata: metadataOf(tool),
    worstCase: { ...worstCase },
    relaxations: tool.relaxations.map(({ claim }) => claim),
    ...Object.fromEntries(extensions as readonly (readonly [string, JsonValue])[]),
  };
}

function sorted(entries: readonly (readonly [path: string, digest: string])[]): JsonObject {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}
