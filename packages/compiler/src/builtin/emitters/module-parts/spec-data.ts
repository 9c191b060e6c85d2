import { FIELD_ENTRIES, TOOL_KEYS } from "@hasp/runtime/contract";
import type { ToolSpec as ModuleSpec } from "@hasp/runtime/codegen/v1";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { collectNeeds } from "../../../handlers/connection-needs.js";
import type { HandlerKinds } from "../../../handlers/kinds.js";
import type { Connections } from "../../../model/handlers.js";
import { type KeysIn, listKeys } from "../../../model/spec-keys.js";
import type { ToolSpec } from "../../../model/tool-spec.js";
import { readOwnMember } from "@hasp/base/json";
import type { FlatTool } from "../../../model/tool.js";
import type { GeneratedNames } from "../../../typescript/names.js";

/** The spec of a generated module as plain data: without schemas and conditions, which are functions there. */
export interface PlainSpec extends Omit<
  ModuleSpec,
  "input" | "output" | "rules" | "flags" | "destination" | "validate" | "dialects"
> {
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
}

type PlainSpecKey = Extract<keyof PlainSpec, string>;

/** Every key of {@link PlainSpec}, so that a new one is a type error until it is printed. */
type SpecData = { readonly [Key in PlainSpecKey]: PlainSpec[Key] | undefined };

// A key that the runtime does not know is a type error here.
const COPIED: readonly (KeysIn<"module"> & PlainSpecKey)[] = listKeys("module");

export function collectSpecData(
  tool: FlatTool,
  handlerFile: string,
  connections: Connections | undefined,
  kinds: HandlerKinds,
): SpecData {
  const { spec, metadata, input, bound, output } = tool;
  return {
    ...copied(spec),
    handlerFile,
    metadata,
    featureGate: spec.visibility?.featureGate,
    resourceKey: spec.concurrency?.key,
    input: input.schema,
    bound,
    output: output?.schema,
    needs: collectNeeds(spec, connections, kinds),
    isolation: spec.handler?.isolation,
    examples: spec.examples?.map((example) => ({ input: example.input })),
  };
}

function copied(spec: ToolSpec): Required<Pick<ToolSpec, KeysIn<"module">>> {
  return Object.fromEntries(COPIED.map((key) => [key, spec[key]])) as never;
}

/** Puts the keys of a module's spec in the runtime's order. */
export function sortModuleKeys<Entries extends { readonly [key: string]: unknown }>(entries: Entries): Entries {
  return Object.fromEntries(
    Object.keys(TOOL_KEYS).flatMap((key) => (key in entries ? [[key, entries[key]]] : [])),
  ) as Entries;
}

/** Lists the facts that are not strict, by group. A module leaves out the others. */
export function listStatedMetadata({ metadata }: FlatTool): JsonObject {
  const groups: { [group: string]: { [name: string]: JsonValue } } = {};
  for (const { group, name, field } of FIELD_ENTRIES) {
    const value = readOwnMember(metadata[group], name) as JsonValue;
    if (value !== field.strict) (groups[group] ??= {})[name] = value;
  }
  return groups;
}

export function nameMetadata({ camel }: GeneratedNames): string {
  return `${camel}Metadata`;
}
