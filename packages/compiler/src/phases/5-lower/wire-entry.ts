import { toHints, OUTPUT_CHECK } from "@hasp/runtime/contract";
import {
  type Dialect,
  isStrict,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  lower as lowerSchema,
  type LowerResult,
  strictVariant,
  type WireTool,
} from "@hasp/schema";
import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import type { LoweredTool } from "../../model/lowered.js";
import type { DialectPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { dropUndefined, readOwnMember } from "@hasp/base/json";
import { keepLastMark, TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import { takesBareText, wrapEntry } from "../../free-text/input.js";
import { showExamples, withoutFilled } from "./shown-examples.js";

/** Creates the entry of a tool in a provider's list. `output` is the result of {@link createWireOutput}. */
export function createWireEntry(
  tool: FlatTool,
  plan: DialectPlan,
  dialect: Dialect,
  wireName: string,
  lowering: LowerResult,
  output: JsonSchema | undefined,
  shortened: (schema: JsonSchema) => JsonSchema,
): Pick<LoweredTool, "definition" | "hiddenExamples"> {
  const { examples: stated = [] } = tool.spec;
  const isText = takesBareText(tool.spec, dialect);
  const examples = plan.examples === "off" ? [] : wireExamples(stated, lowering, isText);
  const frame = createWireFrame(tool, plan, dialect, tool.metadata.visibility.load !== "deferred");
  const own = describeTool(tool, dialect, lowering);
  const told = { ...frame, description: own, examples: examples.map(({ value }) => value) };
  const inWords = plan.examples === "field" ? [] : examples.map((each) => each.inWords);
  const { description, shown } = showExamples(told, dialect, inWords);
  const listed = dropUndefined({
    ...told,
    name: wireName,
    description,
    input: shortened(lowering.schema ?? true),
    output: output === undefined ? undefined : shortened(output),
  });
  const definition = wrapEntry(listed, tool.spec, dialect);
  const isHidden = (place: number): boolean => shown.every((index) => examples[index]?.place !== place);
  return { definition, hiddenExamples: [...stated.keys()].filter(isHidden) };
}

/** Returns the description of a tool. That of a bare text follows it, since the entry has no other place for it. */
export function describeTool(tool: FlatTool, dialect: Dialect, { schema }: Pick<LowerResult, "schema">): string {
  const { description } = tool.spec;
  if (!takesBareText(tool.spec, dialect)) return description;
  const text = readOwnMember(readOwnMember(schema, "properties"), TEXT_MEMBER);
  const about = readOwnMember(text, "description");
  return typeof about === "string" ? `${description}\n${about}` : description;
}

/** Creates the fields of an entry for rules on them, around an empty schema. The mark is left out, since a list keeps one. */
export function createWireFields(tool: FlatTool, plan: DialectPlan, dialect: Dialect): JsonObject {
  return dialect.wrap({ ...createWireFrame(tool, plan, dialect, false), input: true });
}

function createWireFrame(
  { name, spec, metadata, worstCase }: FlatTool,
  { extra }: DialectPlan,
  dialect: Dialect,
  isMarked: boolean,
): Omit<WireTool, "input"> {
  const [sent] = extra === undefined ? [] : keepLastMark([extra], isMarked);
  return dropUndefined({
    name,
    title: spec.title,
    description: spec.description,
    strict: strictVariant(dialect) === undefined ? undefined : isStrict(dialect),
    deferred: metadata.visibility.load === "deferred",
    hints: toHints(worstCase),
    extra: sent,
  });
}

/** Returns the examples in the shape that the model sees, without those that a narrowed schema cannot take. */
function wireExamples(
  examples: readonly { readonly input: JsonValue }[],
  lowering: LowerResult,
  isText: boolean,
): readonly { readonly place: number; readonly value: JsonValue; readonly inWords: JsonValue }[] {
  return examples.flatMap(({ input }, place) => {
    try {
      const encoded = lowering.encode(input);
      const value = isText ? (readOwnMember(encoded, TEXT_MEMBER) ?? encoded) : encoded;
      return [{ place, value, inWords: withoutFilled(value, input) }];
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  });
}

/** Returns the output schema for dialects that list one. Results travel unchanged, so it must be the same or wider. */
export function createWireOutput(
  tool: FlatTool,
  plan: DialectPlan,
  dialect: Dialect,
): { readonly lowering?: LowerResult; readonly found: readonly Diagnostic[] } {
  if (tool.output === undefined || dialect.family !== "mcp") return { found: [] };
  // MCP clients refuse an output that does not fit its listed schema, so list none if outputs may not fit.
  if ((tool.spec.outputCheck ?? OUTPUT_CHECK.strict) !== OUTPUT_CHECK.strict) return { found: [] };
  // Unions at the root trouble clients in inputs only.
  const { rootKeywords: _ofInputs, ...forOutputs } = dialect;
  const lowering = lowerSchema(tool.output.schema, forOutputs, {
    flat: tool.output,
    allowAnyRoot: true,
    witnessBudget: 0,
  });
  const { schema, codec } = lowering;
  const isTaken =
    schema !== undefined &&
    "outputSchema" in dialect.wrap({ ...createWireFrame(tool, plan, dialect, false), input: true, output: schema });
  if (isTaken && codec === undefined) return { lowering, found: [] };
  const reason =
    schema === undefined
      ? explainRefusal(lowering)
      : codec === undefined
        ? "this revision takes objects only."
        : "its shape would have to change.";
  return {
    found: [
      lowerDiagnostics(
        "output-not-listed",
        tool.locate("/output"),
        { dialect: dialect.id, reason },
        { tool: tool.name },
      ),
    ],
  };
}

export function explainRefusal({ diagnostics }: LowerResult): string {
  const errors = diagnostics.filter(isError);
  return [...new Set((errors.length > 0 ? errors : diagnostics).map(({ message }) => message))].join(" ");
}
