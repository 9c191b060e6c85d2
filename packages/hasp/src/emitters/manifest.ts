import type { JsonObject, JsonValue } from "@hasp/schema";
import type { OutputFile } from "../model/output.js";
import type { FlatTool } from "../model/tool.js";
import { digestOfText } from "./digest.js";
import { jsonText } from "../typescript/data-literal.js";
import type { EmitModel } from "./emitter.js";
import { metadataOf } from "./metadata.js";

/**
 * `manifest.json`: what was built from what. It is no emitter like the others, for it digests what they made. The writer
 * reads the outputs' digests of the last build to tell what hasp made from what somebody edited.
 */
export function manifestFile(model: EmitModel, files: readonly OutputFile[]): OutputFile {
  const { layout, plan, toolsets, tools } = model;
  const manifest = {
    hasp: 1,
    ...(plan.unlocked ? { unlocked: true } : {}),
    toolsets: Object.fromEntries(
      toolsets.map((toolset) => [
        toolset.name,
        Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools.map(({ tool }) => tool.name)])),
      ]),
    ),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toolEntry(tool, model)])),
    inputs: digests((model.documents ?? tools.map(({ document }) => document)).map(({ uri, text }) => [uri, text])),
    outputs: digests(files.filter(({ owner }) => owner === "hasp").map(({ path, text }) => [path, text])),
  };
  return { path: layout.manifest, owner: "hasp", text: jsonText(manifest) };
}

function toolEntry(tool: FlatTool, { layout }: EmitModel): JsonObject {
  const { spec, worstCase } = tool;
  const extensions = Object.entries(spec).filter(([key, value]) => key.startsWith("x-") && value !== undefined);
  return {
    spec: tool.document.uri + (tool.pointer === "" ? "" : `#${tool.pointer}`),
    handler: layout.handler(tool.name),
    ...(spec.owner === undefined ? {} : { owner: spec.owner }),
    ...(spec.tags === undefined ? {} : { tags: spec.tags }),
    metadata: metadataOf(tool),
    worstCase: { ...worstCase },
    relaxations: tool.relaxations.map(({ claim }) => claim),
    ...Object.fromEntries(extensions as readonly (readonly [string, JsonValue])[]),
  };
}

function digests(texts: readonly (readonly [path: string, text: string])[]): JsonObject {
  const sorted = new Map(texts.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
  return Object.fromEntries([...sorted].map(([path, text]) => [path, digestOfText(text)]));
}
