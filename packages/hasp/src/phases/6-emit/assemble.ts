import type { JsonValue } from "@hasp/schema";
import type { BuildToEmit } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { manifestFile } from "../../emitters/manifest.js";
import type { OutputFile } from "../../model/output.js";
import type { EmittedTool } from "./emit-tool.js";
import { forgetOthers, joinDraft } from "./join-draft.js";

/** Puts the files of a build together, by path. Pure, and cheap: all that costs was done a tool at a time. */
export function assemble(build: BuildToEmit, tools: readonly EmittedTool[]): readonly OutputFile[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool => byName.get(name) ?? nothingFor(name);
  const made = emitters.flatMap((emitter) => emitter.files(build, (tool) => partIn(toolCalled(tool), emitter.name))).map(joinDraft);
  const files = made.toSorted(byPath);
  const manifest = joinDraft(manifestFile(build, (tool) => toolCalled(tool).manifest, files));
  const all = [...files, manifest].toSorted(byPath);
  forgetOthers(all);
  return all;
}

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
