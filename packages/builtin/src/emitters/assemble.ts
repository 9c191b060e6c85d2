import { dropUndefined, sortBy, indexBy } from "@hasp/base/json";
import type { OutputFile } from "@hasp/compiler";
import { formatModule } from "@hasp/compiler/code";
import { handlerFile } from "@hasp/compiler/layout";
import { listSettings } from "@hasp/compiler/model";
import { type CompileContext, type EmitInput, printSpecPlace, proveModel } from "@hasp/compiler/plugins";
import { VERSION } from "@hasp/runtime/contract";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { ToolToEmit } from "./base/emitter.js";
import { digestText, SHARED_OUTPUT } from "./base/module-text.js";
import { emitters } from "./index.js";
import { type BuildNames, findParts, nameParts, prepare, type PreparedBuild } from "./prepare.js";

/** Plain data that one tool contributes to a build. */
type EmittedParts = {
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
  const { helpers } = context;
  if (helpers !== undefined) {
    const own = prepared.tools.filter(({ tool }) => !helpers.have(tool));
    await Promise.all([helpers.emit(prepared.names), emitEach(own, context)]);
  }
  return assemble(prepared, await emitEach(prepared.tools, context), added, context);
}

/** Emits the parts of some of a build's tools, if its names are chosen; else only finds what decides them. */
export async function emitParts(input: EmitInput, context: CompileContext, names?: unknown): Promise<void> {
  const parts = findParts(input, context);
  if (names !== undefined) await emitEach(nameParts(parts, names as BuildNames, context), context);
}

function emitEach(tools: readonly ToolToEmit[], { eachAsync }: CompileContext): Promise<readonly EmittedParts[]> {
  return eachAsync("Emitting tools", tools, emitTool, dependenciesOf);
}

async function emitTool(tool: ToolToEmit): Promise<EmittedParts> {
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
  prepared: PreparedBuild,
  tools: readonly EmittedParts[],
  added: readonly OutputFile[],
  { eachAsync }: Pick<CompileContext, "eachAsync">,
): Promise<readonly OutputFile[]> {
  const { build } = prepared;
  const byName = indexBy(tools, ({ name }) => name);
  const toolCalled = (name: string): EmittedParts => {
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
    return { path, owner, ...dropUndefined({ madeFrom }), text };
  });
  const sorted = sortBy([...files, ...added], ({ path }) => path);
  const manifest = printManifest(prepared, sorted);
  return sortBy([...sorted, manifest], ({ path }) => path);
}

/** A line break between a key and its value, so that Git merges branches that change neighbouring keys. */
const BELOW = ":\n      ";

/** Prints `manifest.json`: digests of inputs and outputs, by which the writer recognises edited files. */
function printManifest(prepared: PreparedBuild, files: readonly OutputFile[]): OutputFile {
  const { layout, plan, toolsets, extensions } = prepared.build;
  const { ofTool, ofProject } = divideOutputs(files);
  const specs = new Set(prepared.tools.map(({ tool }) => tool.document.uri));
  const tools = prepared.tools.map(({ tool, names }): readonly [string, JsonObject] => [
    tool.name,
    {
      spec: printSpecPlace(tool),
      digest: prepared.inputs.get(tool.document.uri) ?? null,
      handler: handlerFile(tool, names, layout),
      outputs: Object.fromEntries(ofTool.get(tool.name) ?? []),
    },
  ]);
  const plugins = (plan.plugins ?? []).map(({ name, digest }) => [name, digest] as const);
  const entries = {
    hasp: "1",
    version: JSON.stringify(VERSION),
    ...(plan.unlocked ? { unlocked: "true" } : {}),
    ...(plan.exclude.length === 0 ? {} : { excluded: linesOf(plan.exclude.map(({ tool, reason }) => [tool, reason])) }),
    ...(plugins.length === 0 ? {} : { plugins: linesOf(plugins) }),
    ...(extensions.length === 0 ? {} : { extensions: JSON.stringify(extensions) }),
    toolsets: linesOf(toolsets.map(({ name, lists }) => [name, lists.map(({ dialect }) => dialect)])),
    tools: linesOf(tools, BELOW),
    inputs: linesOf(
      [...prepared.inputs].filter(([path]) => !specs.has(path)),
      BELOW,
    ),
    outputs: linesOf(ofProject),
  };
  const text = Object.entries(entries).map(([key, value]) => `  ${JSON.stringify(key)}: ${value}`);
  return { path: layout.manifest, owner: "hasp", text: `{\n${text.join(",\n")}\n}\n` };
}

/** Divides the outputs' digests into those of each tool's own files and the rest. */
function divideOutputs(files: readonly OutputFile[]): {
  readonly ofTool: ReadonlyMap<string, readonly (readonly [path: string, digest: string])[]>;
  readonly ofProject: readonly (readonly [path: string, digest: string])[];
} {
  const ofTool = new Map<string, (readonly [string, string])[]>();
  const ofProject: (readonly [string, string])[] = [];
  for (const { path, owner, text, madeFrom } of files) {
    if (owner !== "hasp") continue;
    if (typeof madeFrom !== "object") {
      ofProject.push([path, madeFrom === undefined ? SHARED_OUTPUT : digestText(text)]);
      continue;
    }
    const outputs = ofTool.get(madeFrom.tool) ?? [];
    ofTool.set(madeFrom.tool, [...outputs, [path, digestText(text)]]);
  }
  return { ofTool, ofProject };
}

function linesOf(entries: readonly (readonly [key: string, value: JsonValue])[], between = ": "): string {
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, value]) => `    ${JSON.stringify(key)}${between}${JSON.stringify(value)}`);
  return `{\n${lines.join(",\n")}\n  }`;
}
