import { decode } from "@hasp/schema/codec";
import type { Codec, JsonSchema, JsonValue } from "@hasp/schema";
import { createSandbox, readJavaScript, type CompiledPredicate, type Sandbox } from "../cel/index.js";
import type { Found } from "../diagnostics/diagnostic.js";
import { handlerFile } from "../emitters/base/layout.js";
import type { EmitInput, ToolToEmit } from "../emitters/base/emitter.js";
import { isSameJson } from "../model/same-json.js";
import type { FlatTool } from "../model/tool.js";
import { emit } from "../phases/6-emit/index.js";
import { prepare } from "../phases/6-emit/prepare.js";
import { readShared, type ReadShared } from "../phases/6-emit/read-shared.js";
import type { HandlerModules } from "./handlers/run-declared-handler.js";
import { ReadCode, type ReadModule, readModule, type ReadValue } from "../typescript/read-module.js";

/** What calls of a tool run: the code of its generated module, in place of what it was compiled from. */
export interface EmittedTool {
  /** The module's path. */
  readonly path: string;
  /** The tool with the schema and the conditions that the module holds. */
  readonly tool: FlatTool;
  /** The modules of its declared handler; absent where the handler is the user's own. */
  readonly handler?: HandlerModules;
  /** The dialects whose decoder in the module gives another value than the one that it was made from. */
  decodersThatDiffer(value: unknown): readonly string[];
}

/**
 * Emits the modules of some tools and reads back what calls run. Throws if a module is not what was compiled, which is
 * a bug in hasp.
 */
export async function emittedTools(
  { tools, toolsets, ...others }: EmitInput,
  isWanted: (tool: FlatTool) => boolean,
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
        losses: [],
      })),
    })),
  };
  const { value: files, diagnostics } = await emit(input);
  const modules = new Map(files.map((file) => [file.path, readModule(file)]));
  const prepared = prepare(input);
  const shared = readShared(modules, prepared.build.layout.definitions);
  const sandbox = createSandbox();
  const emitted = prepared.tools.flatMap((tool) => {
    const module = modules.get(tool.layout.toolModule(tool.names));
    if (module === undefined) return [];
    const handler = modules.get(handlerFile(tool.tool, tool.names, tool.layout));
    const read = readEmitted(tool, module, shared, sandbox);
    return [
      [
        tool.tool.name,
        handler === undefined ? read : { ...read, handler: { handler, others: modules, plan: others.plan } },
      ] as const,
    ];
  });
  return { value: new Map(emitted), diagnostics };
}

function readEmitted(
  { tool, names, forms }: ToolToEmit,
  module: ReadModule,
  shared: ReadShared,
  sandbox: Sandbox,
): EmittedTool {
  const spec = module.constant(`${names.camel}Spec`);
  const { name, document, pointer, metadata, stated, facts, locate, relaxations, customFunctions, worstCase } = tool;
  const printed = (predicate: CompiledPredicate, ...place: readonly (string | number)[]): CompiledPredicate => {
    const code = valueAt(spec, place);
    if (predicate.kind === "custom" || !(code instanceof ReadCode)) return predicate;
    const helpers = readJavaScript(code.node)?.helpers ?? [];
    const evaluate = (value: unknown): boolean => {
      const [answer] = sandbox.answers(code.text, helpers, [value]);
      if (typeof answer !== "boolean") throw new RangeError("The condition cannot be decided.");
      return answer;
    };
    return { ...predicate, evaluate };
  };
  return {
    path: module.path,
    tool: {
      name,
      document,
      pointer,
      spec: tool.spec,
      metadata,
      stated,
      facts,
      locate,
      relaxations,
      customFunctions,
      worstCase,
      input: {
        ...tool.input,
        schema: module.resolve(module.constant("input") ?? null, (name) => shared(module, name)) as JsonSchema,
      },
      rules: tool.rules.map((rule, index) => ({ ...rule, when: printed(rule.when, "rules", index, "when") })),
      flags: tool.flags.map((flag) => ({
        ...flag,
        predicate: printed(flag.predicate, "flags", flag.flag, flag.polarity),
      })),
      checks: tool.checks.map((check, index) => ({ ...check, that: printed(check.that, "validate", index, "that") })),
    },
    decodersThatDiffer: (value) =>
      forms.flatMap((form) => {
        if (form.kind === "excluded") return [];
        const { encode, decode: decodeAsLowered } = form.lowered.lowering;
        const codec = valueAt(spec, ["dialects", form.dialect, "codec"]) as Codec | undefined;
        const wire = encodedBy(encode, value as JsonValue);
        return wire === undefined || isSameJson(decode(codec, wire) as JsonValue, decodeAsLowered(wire) as JsonValue)
          ? []
          : [form.dialect];
      }),
  };
}

/** The value as a model sends it; `undefined` where a narrowed form cannot carry it. */
function encodedBy(encode: (value: JsonValue) => JsonValue, value: JsonValue): JsonValue | undefined {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function valueAt(value: ReadValue | undefined, place: readonly (string | number)[]): ReadValue | undefined {
  return place.reduce<ReadValue | undefined>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (Reflect.get(at, key) as ReadValue) : undefined,
    value,
  );
}
