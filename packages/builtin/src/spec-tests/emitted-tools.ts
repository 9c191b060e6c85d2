import { decode } from "@hasp/schema/codec";
import type { ToolSpec } from "@hasp/runtime/codegen/v1";
import type { JsonValue } from "@hasp/schema";
import { declarationOf } from "@hasp/compiler/model";
import type { CompiledPredicate } from "@hasp/compiler/conditions";
import type { Found } from "@hasp/base/diagnostics";
import type { ToolToEmit } from "../emitters/base/emitter.js";
import { type EmitInput, createContextFor, emit } from "@hasp/compiler/plugins";
import type { Plugins, FlatTool, OutputFile } from "@hasp/compiler";
import { isSameJson, readOwnMember } from "@hasp/base/json";
import { prepare } from "../emitters/prepare.js";
import type { ModuleScope } from "@hasp/compiler/handlers";
import type { GeneratedHandler } from "./declared-handlers.js";

export interface EmittedTool {
  readonly path: string;
  /** The tool with the module's own schema and conditions. */
  readonly tool: FlatTool;
  readonly handler?: GeneratedHandler;
  /** The dialects whose decoder does not return the encoded value. */
  decodersThatDiffer(value: unknown): readonly string[];
}

/** Runs generated modules. `runtime` supplies their imports from `@hasp/runtime`, by subpath. */
type RunModules = (
  files: readonly OutputFile[],
  runtime?: (from: string) => ModuleScope,
) => (path: string) => ModuleScope;

interface EmittedRun {
  readonly plugins: Plugins;
  readonly runModules: RunModules;
}

export async function loadEmittedTools(
  { tools, toolsets, ...others }: EmitInput,
  { plugins, runModules }: EmittedRun,
  isWanted: (tool: FlatTool) => boolean = () => true,
): Promise<Found<ReadonlyMap<string, EmittedTool>>> {
  const input = {
    ...others,
    tools: tools.filter(isWanted),
    toolsets: toolsets.map((toolset) => ({
      name: toolset.name,
      tools: toolset.tools.filter(isWanted),
      lists: toolset.lists.map(({ dialect, tools: listed, excluded }) => ({
        dialect,
        tools: listed.filter(({ tool }) => isWanted(tool)),
        excluded: excluded.filter(({ tool }) => isWanted(tool)),
      })),
    })),
  };
  const context = createContextFor(input, plugins);
  const { value: files, diagnostics } = await emit(input, context);
  const load = runModules(files);
  const emitted = prepare(input, context).tools.map((each): readonly [string, EmittedTool] => {
    const { tool, names, layout } = each;
    const path = layout.specs;
    const found = emittedTool(each, path, load(path));
    if (declarationOf(tool.spec) === undefined) return [tool.name, found];
    const handler = {
      path: layout.declaredHandler(names),
      load: (runtime: (from: string) => ModuleScope) => runModules(files, runtime),
      plan: others.plan,
      kinds: plugins.handlerKinds,
    };
    return [tool.name, { ...found, handler }];
  });
  return { value: new Map(emitted), diagnostics };
}

function emittedTool({ tool, names, forms }: ToolToEmit, path: string, module: ModuleScope): EmittedTool {
  const spec = (module[`${names.camel}Spec`] as () => ToolSpec)();
  const asEmitted = (predicate: CompiledPredicate, evaluate: unknown): CompiledPredicate =>
    predicate.kind === "custom" ? predicate : { ...predicate, evaluate: evaluate as (input: unknown) => boolean };
  return {
    path,
    tool: {
      name: tool.name,
      document: tool.document,
      pointer: tool.pointer,
      spec: tool.spec,
      metadata: tool.metadata,
      stated: tool.stated,
      removed: tool.removed,
      locate: tool.locate,
      relaxations: tool.relaxations,
      customFunctions: tool.customFunctions,
      worstCase: tool.worstCase,
      startsProgram: tool.startsProgram,
      input: { ...tool.input, schema: spec.input() },
      get effects() {
        return tool.effects;
      },
      rules: tool.rules.map((rule, index) => ({ ...rule, when: asEmitted(rule.when, spec.rules?.[index]?.when) })),
      flags: tool.flags.map((flag) => ({
        ...flag,
        predicate: asEmitted(flag.predicate, readOwnMember(spec.flags?.[flag.flag], flag.polarity)),
      })),
      checks: tool.checks.map((check, index) => ({
        ...check,
        that: asEmitted(check.that, readOwnMember(spec.validate?.[index], "that")),
      })),
    },
    decodersThatDiffer: (value) =>
      forms.flatMap((form) => {
        if (form.kind === "excluded") return [];
        const { encode, decode: decodeAsLowered } = form.lowered.lowering;
        const codec = spec.dialects?.[form.dialect]?.codec;
        const wire = encodedBy(encode, value as JsonValue);
        return wire === undefined || isSameJson(decode(codec, wire) as JsonValue, decodeAsLowered(wire) as JsonValue)
          ? []
          : [form.dialect];
      }),
  };
}

/** Encodes a value as a model sends it; `undefined` if a narrowed form cannot carry it. */
function encodedBy(encode: (value: JsonValue) => JsonValue, value: JsonValue): JsonValue | undefined {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
