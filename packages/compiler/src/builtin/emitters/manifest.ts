import type { JsonObject, JsonValue } from "@hasp/schema";
import type { OutputFile } from "../../model/document.js";
import { printSpecPlace } from "../../plugins/compiled-model.js";
import { handlerFile } from "../../typescript/layout.js";
import { digestText, SHARED_OUTPUT } from "./base/module-text.js";
import { VERSION } from "@hasp/runtime/contract";
import type { PreparedBuild } from "./prepare.js";

/** A line break between a key and its value, so that Git merges branches that change neighbouring keys. */
const BELOW = ":\n      ";

/** Prints `manifest.json`: digests of inputs and outputs, by which the writer recognises edited files. */
export function printManifest(prepared: PreparedBuild, files: readonly OutputFile[]): OutputFile {
  const { layout, plan, toolsets } = prepared.build;
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
