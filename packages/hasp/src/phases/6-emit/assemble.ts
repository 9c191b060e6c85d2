import type { JsonValue } from "@hasp/schema";
import { emitters } from "../../emitters/index.js";
import { manifestFile } from "../../emitters/manifest.js";
import { fileOfPieces, type OutputFile } from "../../model/output.js";
import type { EmittedTool } from "./emit-tool.js";
import type { Prepared } from "./prepare.js";

/** Puts the files of a build together, by path. Pure, and cheap: all that costs was done a tool at a time. */
export function assemble({ build, inputs }: Prepared, tools: readonly EmittedTool[]): readonly OutputFile[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool => byName.get(name) ?? nothingFor(name);
  const made = emitters.flatMap((emitter) =>
    emitter.files(build, (tool) => partIn(toolCalled(tool), emitter.name)).map(fileOfPieces),
  );
  const files = made.toSorted(byPath);
  const manifest = fileOfPieces(manifestFile(build, inputs, (tool) => toolCalled(tool).manifest, files));
  return [...files, manifest].toSorted(byPath);
}

/** The part of a tool that an emitter made. */
function partIn({ name, parts }: EmittedTool, emitter: string): JsonValue {
  const part = Object.hasOwn(parts, emitter) ? parts[emitter] : undefined;
  return part === undefined ? nothingFor(name) : part;
}

function nothingFor(tool: string): never {
  throw new Error(`Nothing was emitted for ${tool}.`);
}

function byPath(left: OutputFile, right: OutputFile): number {
  return left.path < right.path ? -1 : 1;
}
