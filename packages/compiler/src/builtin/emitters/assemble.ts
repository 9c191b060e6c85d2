import type { JsonValue } from "@hasp/schema";
import { digestText } from "./base/module-text.js";
import type { ToolToEmit } from "./base/emitter.js";
import { printManifest } from "./manifest.js";
import type { OutputFile } from "../../model/document.js";
import type { Code } from "../../typescript/code.js";
import { formatModule } from "../../typescript/format.js";
import { prepare, type PreparedBuild, listSettings } from "./prepare.js";
import type { CompileContext } from "../../context/context.js";
import type { EmitInput } from "../../context/plugins.js";
import { emitters } from "./index.js";
import { proveModel } from "../../phases/6-emit/prove-model.js";

/** Plain data that one tool contributes to a build; cached by its {@link ToolToEmit}. */
interface ToolParts {
  readonly name: string;
  /** By name of the emitter that makes each part and later combines them into files. */
  readonly parts: { readonly [emitter: string]: JsonValue };
}

/** Emits every file of a build, by path. Makes each tool's parts separately, then combines them. */
export async function emitFiles(
  input: EmitInput,
  context: CompileContext,
  added: readonly OutputFile[],
): Promise<readonly OutputFile[]> {
  const prepared = prepare(input, context);
  const emitted = await emitTools(prepared.tools, context);
  context.onProgress("Assembling files");
  return assemble(prepared, emitted, added, context);
}

async function emitTool(tool: ToolToEmit): Promise<ToolParts> {
  proveModel(tool);
  const parts = await Promise.all(emitters.map(async (emitter) => [emitter.name, await emitter.part(tool)] as const));
  return { name: tool.tool.name, parts: Object.fromEntries(parts) };
}

function emitTools(tools: readonly ToolToEmit[], context: CompileContext): Promise<readonly ToolParts[]> {
  let done = 0;
  return mapFewAtATime(tools, (tool) => {
    context.onProgress("Emitting tools", done++, tools.length);
    const { names, forms, shared, plan } = tool;
    // The tool's own cache key covers its other inputs.
    const settings = [
      names,
      [...shared.types],
      [...shared.schemas],
      plan.unlocked,
      listSettings(forms),
      context.witnesses,
    ];
    return context.cache.runAsync("emitted", () => emitTool(tool), context.keyOf(tool.tool), JSON.stringify(settings));
  });
}

/** Assembles the files of a build, by path. `added` holds the files of plugins. */
async function assemble(
  { build, inputs, tools: all }: PreparedBuild,
  tools: readonly ToolParts[],
  added: readonly OutputFile[],
  { cache }: Pick<CompileContext, "cache">,
): Promise<readonly OutputFile[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): ToolParts => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(`Nothing was emitted for ${name}.`);
    return tool;
  };
  const formatted = (source: Code): Promise<string> =>
    cache.runAsync("formatted", () => formatModule(source), digestText(source.text));
  const drafts = emitters.flatMap((emitter) =>
    emitter.files(build, (tool) => toolCalled(tool).parts[emitter.name] ?? null),
  );
  const files = await mapFewAtATime(drafts, async (draft): Promise<OutputFile> =>
    "text" in draft
      ? draft
      : {
          path: draft.path,
          owner: draft.owner,
          ...(draft.madeFrom === undefined ? {} : { madeFrom: draft.madeFrom }),
          text: [await formatted(draft.code), ...(draft.formatted ?? [])].join("\n"),
        },
  );
  const sorted = [...files, ...added].toSorted(byPath);
  const manifest = printManifest({ build, inputs, tools: all }, sorted);
  return [...sorted, manifest].toSorted(byPath);
}

function byPath(left: OutputFile, right: OutputFile): number {
  return left.path < right.path ? -1 : 1;
}

/** Maximum number of tools or files formatted at once. Formatting all at once would take four times the memory. */
const MOST_AT_ONCE = 4;

async function mapFewAtATime<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(
    Array.from({ length: MOST_AT_ONCE }, async () => {
      for (const [index, item] of waiting) results[index] = await map(item);
    }),
  );
  return results;
}
