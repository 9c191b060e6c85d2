import { resolveMetadata } from "@hasp/runtime/contract";
import type { DialectId, JsonObject, JsonSchema, LowerResult } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import type { CompilePlan, FlatTool, LoweredTool, LoweredToolset, ToolSpec } from "@hasp/compiler";
import { compileConditions } from "@hasp/compiler/conditions";
import { completePlan, type LoadedDocument } from "@hasp/compiler/model";
import type { FlatSchema } from "@hasp/compiler/plugin";
import { listSchemaNodes, type ToolModel } from "@hasp/compiler/plugins";

const start = { offset: 0, line: 1, column: 1 };
const locationIn = (uri: string, pointer: string): Location => ({ uri, pointer, range: { start, end: start } });

export function flatTool(spec: ToolSpec, parts: Partial<FlatTool> = {}): FlatTool {
  const document: LoadedDocument = {
    uri: `specs/${spec.name}.tool.yaml`,
    role: "spec",
    text: JSON.stringify(spec),
    value: {},
    references: [],
    locate: (pointer) => locationIn(`specs/${spec.name}.tool.yaml`, pointer),
  };
  const { metadata, stated } = resolveMetadata(spec);
  const model: ToolModel = {
    name: spec.name,
    document,
    pointer: "",
    spec,
    metadata,
    stated,
    relaxations: [],
    removed: [],
    locate: (pointer) => locationIn(document.uri, pointer),
  };
  const input = spec.input as JsonSchema;
  const { diagnostics, ...conditions } = compileConditions(model, input);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return {
    ...model,
    input: flatSchema(input),
    ...(spec.output === undefined ? {} : { output: flatSchema(spec.output) }),
    ...conditions,
    startsProgram: false,
    effects: undefined,
    worstCase: {
      class: "UNSAFE",
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: false,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: true,
    },
    ...parts,
  };
}

function flatSchema(schema: JsonSchema): FlatSchema {
  return {
    schema,
    nodes: listSchemaNodes(schema),
    originsOf: () => [],
    locate: (pointer) => locationIn("specs/by-hand.tool.yaml", pointer),
  };
}

export const plan: CompilePlan = completePlan({ dialects: ["anthropic"], today: "2026-01-01" });

export function anthropicToolset(tools: readonly FlatTool[]): LoweredToolset {
  const dialect: DialectId = "anthropic";
  const lowered = tools.map((tool): LoweredTool => ({
    tool,
    dialect,
    strict: false,
    wireName: tool.name,
    definition: {
      name: tool.name,
      description: tool.spec.description,
      input_schema: tool.input.schema as JsonObject,
      strict: false,
      ...(tool.metadata.visibility.load === "deferred" ? { defer_loading: true } : {}),
    },
    lowering: unchanged(tool.input.schema),
    output: undefined,
    hiddenExamples: [],
    hoisted: [],
    lossCount: 0,
  }));
  return { name: "all", tools, lists: [{ dialect, tools: lowered, excluded: [] }] };
}

function unchanged(schema: JsonSchema): LowerResult {
  return {
    schema,
    losses: [],
    diagnostics: [],
    codec: undefined,
    encode: (value) => value,
    decode: (value) => value,
    sourceOf: () => undefined,
  };
}
