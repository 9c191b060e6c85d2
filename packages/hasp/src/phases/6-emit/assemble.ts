import type { JsonValue } from "@hasp/schema";
import type { ToolToEmit } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { manifestFile, manifestPart } from "../../emitters/manifest.js";
import type { OutputFile } from "../../model/output.js";
import type { Format } from "../../typescript/format.js";
import type { Prepared } from "./prepare.js";
import { proveTool } from "./prove-tool.js";

/**
 * All that one tool contributes to a build. Plain data that rests on nothing but the {@link ToolToEmit} it was made
 * from, so it can be cached.
 */
export interface EmittedTool {
  readonly name: string;
  /** By the name of the emitter that made it and will put it into files. */
  readonly parts: { readonly [emitter: string]: JsonValue };
  /** Its entry in the manifest, as text. */
  readonly manifest: string;
}

/** Makes the parts of one tool and proves them. Throws where they are not what was meant: a bug in hasp. */
export async function emitTool(tool: ToolToEmit, format: Format): Promise<EmittedTool> {
  const parts = await Promise.all(
    emitters.map(async (emitter) => [emitter.name, await emitter.part(tool, format)] as const),
  );
  const emitted = { name: tool.tool.name, parts: Object.fromEntries(parts), manifest: manifestPart(tool) };
  proveTool(tool, emitted);
  return emitted;
}

/** Makes the parts of all tools, in their order. */
export function emitTools(tools: readonly ToolToEmit[], format: Format): Promise<readonly EmittedTool[]> {
  return mapFewAtATime(tools, (tool) => emitTool(tool, format));
}

/** Puts the files of a build together, by path. */
export async function assemble(
  { build, inputs }: Prepared,
  tools: readonly EmittedTool[],
  format: Format,
): Promise<readonly OutputFile[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolCalled = (name: string): EmittedTool => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(`Nothing was emitted for ${name}.`);
    return tool;
  };
  const drafts = emitters.flatMap((emitter) =>
    emitter.files(build, (tool) => toolCalled(tool).parts[emitter.name] ?? null),
  );
  const files = await mapFewAtATime(drafts, async (draft): Promise<OutputFile> =>
    "text" in draft ? draft : { path: draft.path, owner: draft.owner, text: await format(draft.code) },
  );
  const sorted = files.toSorted(byPath);
  const manifest = manifestFile(build, inputs, (tool) => toolCalled(tool).manifest, sorted);
  return [...sorted, manifest].toSorted(byPath);
}

function byPath(left: OutputFile, right: OutputFile): number {
  return left.path < right.path ? -1 : 1;
}

/** How many tools or files are in the formatter's hands at once. All of them would take four times the memory. */
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
