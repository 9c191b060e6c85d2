import type { JsonValue } from "@hasp/schema";
import { type BuildToEmit, type Emitter, partOf } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { manifestFile } from "../../emitters/manifest.js";
import type { OutputFile } from "../../model/output.js";
import type { EmittedTool } from "./emit-tool.js";

/** Puts the files of a build together, by path. Pure, and cheap: all that costs was done a tool at a time. */
export function assemble(build: BuildToEmit, tools: readonly EmittedTool[]): readonly OutputFile[] {
  const files = emitters.flatMap((emitter) => emitter.files(build, partsOf(emitter, tools)));
  const manifest = manifestFile(build, new Map(tools.map((tool) => [tool.name, tool.manifest])), files);
  return [...files, manifest].toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

function partsOf({ name }: Emitter, tools: readonly EmittedTool[]): ReadonlyMap<string, JsonValue> {
  return new Map(tools.map((tool) => [tool.name, partOf(new Map(Object.entries(tool.parts)), name)]));
}
