import { decode } from "@hasp/schema/codec";
import type { Codec, JsonSchema, JsonValue } from "@hasp/schema";
import { readJavaScript, type CompiledPredicate, type Sandbox } from "../cel/index.js";
import type { Found } from "../diagnostics/diagnostic.js";
import type { EmitInput, ToolToEmit } from "../emitters/base/emitter.js";
import { toolModule } from "../emitters/tool-module.js";
import { isSameJson } from "../model/same-json.js";
import type { FlatTool } from "../model/tool.js";
import { emitTool } from "../phases/6-emit/assemble.js";
import { formatterProblem, proofOfBuild } from "../phases/6-emit/index.js";
import { prepare } from "../phases/6-emit/prepare.js";
import { ReadCode, readModule, type ReadValue } from "../typescript/read-module.js";

/** What calls of a tool run: the code of its generated module, in place of what it was compiled from. */
export interface EmittedTool {
  /** The module's path. */
  readonly path: string;
  /** The tool with the schema and the conditions that the module holds. */
  readonly tool: FlatTool;
  /** The dialects whose decoder in the module gives another value than the one that it was made from. */
  decodersThatDiffer(value: unknown): readonly string[];
}

/**
 * Emits the modules of some tools and reads back what calls run. Throws if a module is not what was compiled, which is
 * a bug in hasp.
 */
export async function emittedTools(
  input: EmitInput,
  isWanted: (tool: FlatTool) => boolean,
): Promise<Found<ReadonlyMap<string, EmittedTool>>> {
  const emitted = new Map<string, EmittedTool>();
  try {
    await emitInto(emitted, input, isWanted);
    return { value: emitted, diagnostics: [] };
  } catch (error) {
    return { value: emitted, diagnostics: [formatterProblem(error)] };
  }
}

async function emitInto(
  emitted: Map<string, EmittedTool>,
  input: EmitInput,
  isWanted: (tool: FlatTool) => boolean,
): Promise<void> {
  const proof = proofOfBuild();
  for (const each of prepare(input).tools.filter(({ tool }) => isWanted(tool))) {
    const { parts } = await emitTool(each, proof);
    emitted.set(each.tool.name, readEmitted(each, String(parts[toolModule.name]), proof.sandbox));
  }
}

function readEmitted({ tool, names, forms, layout }: ToolToEmit, text: string, sandbox: Sandbox): EmittedTool {
  const module = readModule({ path: layout.toolModule(names), text });
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
      input: { ...tool.input, schema: module.resolve(module.constant("input") ?? null) as JsonSchema },
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
