import type { JsonObject, JsonValue, JsonSchema } from "@hasp/schema";
import { createMetadata as everyField } from "@hasp/runtime/contract";
import type { LoweredToolset } from "../model/lowered.js";
import type { FlatTool } from "../model/tool.js";
import { dropUndefined, readOwnMember } from "@hasp/base/json";
import { listKeys } from "../model/spec-keys.js";

/** The compiled project as plugins and scripts read it; `schema/compiled-model.schema.json` describes each part. */
export interface CompiledModel {
  readonly version: 1;
  readonly tools: readonly ModelTool[];
  readonly toolsets: readonly ModelToolset[];
}

/** One tool: the keys of its spec and the compiler's results. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** The path of the spec, with a JSON Pointer where the file holds several. */
  readonly spec: string;
  readonly title?: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
  /** The input that callers may send: flat, every object closed unless the spec opens it. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** Every behavioural field with its value, by group. */
  readonly metadata: JsonObject;
  /** The strictest values that any call may get. */
  readonly worstCase: JsonObject;
  /** The claims that loosen a default. */
  readonly relaxations: readonly string[];
  /** Other keys of the spec, such as `x-…`. */
  readonly [key: string]: unknown;
}

/** A selection of tools with its provider lists. */
export interface ModelToolset {
  readonly name: string;
  readonly tools: readonly string[];
  readonly lists: readonly ModelList[];
}

/** One provider list. */
export interface ModelList {
  readonly dialect: string;
  readonly tools: readonly {
    readonly name: string;
    readonly wireName: string;
    readonly definition: JsonObject;
  }[];
  readonly excluded: readonly { readonly name: string; readonly reason: string }[];
  readonly losses: readonly { readonly tool: string; readonly pointer: string; readonly keyword: string }[];
}

export function buildModel(tools: readonly FlatTool[], toolsets: readonly LoweredToolset[]): CompiledModel {
  const model: CompiledModel = {
    version: 1,
    tools: tools.map(describeTool),
    toolsets: toolsets.map((toolset) => ({
      name: toolset.name,
      tools: toolset.tools.map(({ name }) => name),
      lists: toolset.lists.map(({ dialect, tools: listed, excluded }) => ({
        dialect,
        tools: listed.map(({ tool, wireName, definition }) => ({ name: tool.name, wireName, definition })),
        excluded: excluded.map(({ tool, reason }) => ({ name: tool.name, reason })),
        losses: listed.flatMap(({ tool, lowering }) =>
          lowering.losses.map(({ pointer, keyword }) => ({ tool: tool.name, pointer, keyword })),
        ),
      })),
    })),
  };
  // A copy, so that readers of the model can change nothing in the compiler.
  return JSON.parse(JSON.stringify(model)) as JsonValue as unknown as CompiledModel;
}

/** Describes a tool with the keys of its spec and the compiler's results. */
export function describeTool(tool: FlatTool): ModelTool {
  const { name, spec, input, output } = tool;
  const { title, description } = spec;
  return dropUndefined({
    name,
    title,
    description,
    ...(toolFacts(tool) as JsonObject & Pick<ModelTool, "spec" | "metadata" | "worstCase" | "relaxations">),
    input: input.schema,
    output: output?.schema,
  });
}

interface ModelFacts extends JsonObject {
  readonly spec: string;
}

/** Returns the path of a tool's spec, with a JSON Pointer where the file holds several. */
export function printSpecPlace({ document, pointer }: Pick<FlatTool, "document" | "pointer">): string {
  return document.uri + (pointer === "" ? "" : `#${pointer}`);
}

function toolFacts(tool: FlatTool): ModelFacts {
  const { spec, worstCase } = tool;
  const extensions = Object.entries(spec).filter(([key, value]) => key.startsWith("x-") && value !== undefined);
  return {
    spec: printSpecPlace(tool),
    ...Object.fromEntries(listKeys("model").flatMap((key) => (spec[key] === undefined ? [] : [[key, spec[key]]]))),
    metadata: listMetadata(tool),
    worstCase: { ...worstCase },
    relaxations: tool.relaxations.map(({ claim }) => claim),
    ...Object.fromEntries(extensions as readonly (readonly [string, JsonValue])[]),
  };
}

/** Returns the tool's metadata, each value explicit, in the order of the table of fields. */
export function listMetadata({ metadata }: FlatTool): JsonObject {
  return everyField(({ group, name }) => readOwnMember(metadata[group], name));
}
