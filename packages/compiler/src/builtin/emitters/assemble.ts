import type { JsonValue } from "@hasp/schema";
import type { ToolToEmit } from "./base/emitter.js";
import { printManifest } from "./manifest.js";
import type { OutputFile } from "../../model/document.js";
import { formatModule } from "../../typescript/format.js";
import { listSettings } from "../../model/lowered.js";
import { prepare, type PreparedBuild } from "./prepare.js";
import type { CompileContext } from "../../context/context.js";
import type { EmitInput } from "../../context/plugins.js";
import { emitters } from "./index.js";
import { proveModel } from "../../phases/6-emit/prove-model.js";

/** Plain data that one tool contributes to a build. */
type ToolParts = {
  readonly name: string;
  /** By name of the emitter that makes each part and later combines them into files. */
  readonly parts: { readonly [emitter: string]: JsonValue };
};

/** Emits every file of a build, by path. Makes each tool's parts separately, then combines them. */
export async function emitFiles(
  input: EmitInput,
  context: CompileContext,
  added: readonly OutputFile[],
): Promise<readonly OutputFile[]> {
  const prepared = prepare(input, context);
  const emitted = await context.eachAsync("Emitting tools", prepared.tools, emitTool, dependenciesOf);
  return assemble(prepared, emitted, added, context);
}

async function emitTool(tool: ToolToEmit): Promise<ToolParts> {
  proveModel(tool);
  const parts = await Promise.all(emitters.map(async (emitter) => [emitter.name, await emitter.part(tool)] as const));
  return { name: tool.tool.name, parts: Object.fromEntries(parts) };
}

/** Returns what a tool's parts depend on besides the plan and its files. */
function dependenciesOf({ names, forms, shared, plan }: ToolToEmit): unknown {
  return [names, [...shared.types], [...shared.schemas], plan.unlocked, listSettings(forms)];
}

/** Assembles the files of a build, by path. `added` holds the files of plugins. */
async function assemble(
  { build, inputs, tools: all }: PreparedBuild,
  tools: readonly ToolParts[],
  added: readonly OutputFile[],
  { eachAsync }: Pick<CompileContext, "eachAsync">,
): Promise<readonly OutputFile[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): ToolParts => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(`Nothing was emitted for ${name}.`);
    return tool;
  };
  const drafts = emitters.flatMap((emitter) =>
    emitter.files(build, (tool) => toolCalled(tool).parts[emitter.name] ?? null),
  );
  const sources = drafts.flatMap((draft) => ("text" in draft ? [] : [{ text: draft.code.text }]));
  const formatted = (await eachAsync("Formatting files", sources, formatModule)).values();
  const files = drafts.map((draft): OutputFile => {
    if ("text" in draft) return draft;
    const { path, owner, madeFrom, formatted: parts = [] } = draft;
    const text = [formatted.next().value, ...parts].join("\n");
    return { path, owner, ...(madeFrom === undefined ? {} : { madeFrom }), text };
  });
  const sorted = [...files, ...added].toSorted(byPath);
  const manifest = printManifest({ build, inputs, tools: all }, sorted);
  return [...sorted, manifest].toSorted(byPath);
}

function byPath(left: OutputFile, right: OutputFile): number {
  return left.path < right.path ? -1 : 1;
}
