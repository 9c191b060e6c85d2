import { resolveDialect } from "../../model/dialect.js";
import type { SpecProvider } from "../../model/tool-spec.js";
import {
  checkRequestTool,
  type Dialect,
  type FlatSource,
  forText,
  isStrict,
  type JsonSchema,
  type JsonValue,
  lower as lowerSchema,
  type LowerResult,
  measureShare,
  strictVariant,
} from "@hasp/schema";
import { type Diagnostic, type Location, isError } from "@hasp/base/diagnostics";
import { type ListMember, lowerOnDemand, type LoweredTool } from "../../model/lowered.js";
import { isStructured, findValueAt } from "@hasp/base/json";
import type { DialectPlan } from "../../model/plan.js";
import type { FlatSchema, FlatTool } from "../../model/tool.js";
import { readFreeText, takesBareText } from "../../free-text/input.js";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import { fromDocumentUri } from "../../model/document-references.js";
import { hoist } from "./hoist.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { explainRefusal, createWireEntry, createWireFields, createWireOutput, describeTool } from "./wire-entry.js";

export type ToolOutcome =
  | {
      readonly kind: "carried";
      readonly lowered: LoweredTool;
      readonly member: ListMember;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: "uncarried";
      readonly reason: string;
      readonly location: Location;
      readonly diagnostics: readonly Diagnostic[];
    };

export interface Form {
  readonly plan: DialectPlan;
  readonly wireName: string;
  readonly mayBeStrict: boolean;
}

/** Lowers one tool to one dialect. `mayBeStrict` is false once the provider has no room for an optional strict mode. */
export function lowerTool(tool: FlatTool, { plan, wireName, mayBeStrict }: Form, input: FlatSource): ToolOutcome {
  const configured = resolveDialect(plan);
  const { family } = configured;
  const providers: { readonly [family: string]: SpecProvider | undefined } = tool.spec.providers ?? {};
  const wish = providers[family]?.strict ?? plan.strict;
  const diagnostics =
    providers[family]?.strict === false && isStrict(configured)
      ? [
          lowerDiagnostics(
            "strict-refused",
            tool.locate(`/providers/${family}/strict`),
            { dialect: configured.id },
            { tool: tool.name },
          ),
        ]
      : [];
  const isText = takesBareText(tool.spec, configured);
  // A provider enforces a grammar, or nothing of a text: no strict mode applies.
  const variants = isText ? [{ dialect: configured, isFallback: false }] : variantsToTry(plan, wish, mayBeStrict);
  for (const { dialect, isFallback } of variants) {
    // A strict mode that applies only if nothing is lost never narrows.
    const allowNarrowing = providers[family]?.allowNarrowing === true && !isFallback;
    const strict = !isText && isStrict(dialect);
    const inputs = lowerSchema(tool.input.schema, isText ? forText(dialect) : dialect, {
      flat: input,
      allowNarrowing,
      witnessBudget: 0,
    });
    const lowering = isText ? inputs : tellGrammar(inputs, tool, dialect);
    if (
      isFallback &&
      (lowering.schema === undefined || lowering.losses.some(({ direction }) => direction === "narrowed"))
    ) {
      continue;
    }
    if (lowering.schema === undefined) {
      return { kind: "uncarried", reason: explainRefusal(lowering), location: placeOf(tool, lowering), diagnostics };
    }
    // Lowering has checked the schema against the limits; only the texts around it are left.
    const entry = dialect.fieldRules === undefined ? {} : createWireFields(tool, plan, dialect);
    const description = describeTool(tool, dialect, lowering);
    const asSent = { name: wireName, description, schema: true, strict, entry };
    const [refused] = checkRequestTool(asSent, dialect);
    if (refused !== undefined && isFallback) continue;
    if (refused !== undefined) {
      return { kind: "uncarried", reason: refused.message, location: tool.locate("/name"), diagnostics };
    }
    const output = createWireOutput(tool, plan, dialect);
    const lowered = {
      tool,
      dialect: dialect.id,
      strict,
      wireName,
      lowering,
      output: output.lowering,
      lossCount: lowering.losses.length,
    };
    const complete = (): LoweredTool => ({ ...lowered, ...providerEntry(lowered, plan, dialect) });
    return {
      kind: "carried",
      lowered: lowerOnDemand(lowered, complete),
      member: {
        name: tool.name,
        strict,
        isStrictByChoice: isFallback && strict,
        load: tool.metadata.visibility.load,
        ...measureShare({ schema: lowering.schema, entry }, dialect),
      },
      diagnostics: [
        ...diagnostics,
        ...reportRename(tool, dialect, wireName),
        ...output.found,
        ...findingsOf(tool, dialect, lowering),
      ],
    };
  }
  return {
    kind: "uncarried",
    reason: "no equivalent schema exists for it.",
    location: tool.locate("/input"),
    diagnostics,
  };
}

function providerEntry(
  { tool, wireName, lowering, output }: Omit<LoweredTool, "definition" | "hiddenExamples" | "hoisted">,
  plan: DialectPlan,
  dialect: Dialect,
): Pick<LoweredTool, "definition" | "hiddenExamples" | "hoisted"> {
  const hoisted = [...hoistedSchema(tool.input, lowering, dialect), ...hoistedSchema(tool.output, output, dialect)];
  const shortened = (schema: JsonSchema): JsonSchema => hoisted.find(({ whole }) => whole === schema)?.schema ?? schema;
  return { hoisted, ...createWireEntry(tool, plan, dialect, wireName, lowering, output?.schema, shortened) };
}

/** Adds a grammar that no pattern can express to the text's description, and reports it as lost: nobody enforces it. */
function tellGrammar(lowering: LowerResult, { spec, input }: FlatTool, dialect: Dialect): LowerResult {
  const { schema, losses, sourceOf } = lowering;
  const { grammar, definition } = readFreeText(spec.input)?.format ?? {};
  if (grammar !== "lark" || typeof schema !== "object") return lowering;
  const [[name, text] = ["", true]] = Object.entries(schema.properties ?? {});
  const node = typeof text === "object" ? text : {};
  const words = `It follows this grammar, in Lark's syntax:\n${definition}`;
  const told = { ...node, description: node.description === undefined ? words : `${node.description}\n${words}` };
  const pointer = `/properties/${TEXT_MEMBER}`;
  const [origin = { uri: "", pointer: "" }] = input.originsOf(
    findValueAt(input.schema as JsonValue, pointer) as object,
  );
  const loss = { pointer, origin, keyword: "format", direction: "widened", enforcedBy: "nobody", words } as const;
  const whole = { ...schema, properties: { [name]: told } };
  return {
    ...lowering,
    schema: whole,
    losses: [...losses, { dialect: dialect.id, ...loss }],
    sourceOf: (each) => sourceOf(each === told ? node : each === whole ? schema : each),
  };
}

/** Hoists the repetitions of a lowered schema if that is shorter. Definitions keep their authors' names. */
function hoistedSchema(
  flat: FlatSchema | undefined,
  lowering: LowerResult | undefined,
  dialect: Dialect,
): LoweredTool["hoisted"] {
  if (flat === undefined || lowering?.schema === undefined) return [];
  const nameOf = (node: object): string | undefined => {
    const pointer = lowering.sourceOf(node);
    const source = pointer === undefined ? undefined : findValueAt(flat.schema as JsonValue, pointer);
    const origins = isStructured(source) ? flat.originsOf(source) : [];
    const definition = origins.map((origin) => /\/(?:\$defs|definitions)\/(?<name>[^/]+)$/u.exec(origin.pointer));
    return definition.find((found) => found !== null)?.groups?.["name"];
  };
  const hoisted = hoist(lowering.schema, dialect, nameOf);
  return hoisted === undefined ? [] : [hoisted];
}

/** Lists the dialects in which a tool may be sent, best first. A fallback applies only if it loses nothing. */
function variantsToTry(
  plan: DialectPlan,
  wish: DialectPlan["strict"],
  mayBeStrict: boolean,
): readonly { readonly dialect: Dialect; readonly isFallback: boolean }[] {
  const dialect = resolveDialect(plan);
  // A list that is strict by its name holds strict tools and no others.
  if (isStrict(dialect)) return [{ dialect, isFallback: false }];
  const loose = { dialect, isFallback: false };
  const variant = strictVariant(dialect);
  const strict = variant === undefined ? undefined : resolveDialect({ ...plan, id: variant });
  if (strict === undefined || wish === false) return [loose];
  if (wish === true) return [{ dialect: strict, isFallback: false }];
  return mayBeStrict ? [{ dialect: strict, isFallback: true }, loose] : [loose];
}

function reportRename(tool: FlatTool, { id: dialect }: Dialect, wire: string): readonly Diagnostic[] {
  return wire === tool.name
    ? []
    : [lowerDiagnostics("renamed", tool.locate("/name"), { dialect, wire }, { tool: tool.name })];
}

function placeOf(tool: FlatTool, { diagnostics }: LowerResult): Location {
  const origin = diagnostics.find(isError)?.origin;
  const isOwn = origin !== undefined && fromDocumentUri(origin.uri) === tool.document.uri;
  return isOwn ? tool.document.locate(origin.pointer) : tool.locate("/input");
}

/** Converts the findings of the schema package, placed at the author's own line. */
function findingsOf(
  tool: FlatTool,
  { id: dialect }: Dialect,
  { diagnostics, losses }: LowerResult,
): readonly Diagnostic[] {
  const findings = diagnostics.map(({ code, severity, message, origin }): Diagnostic => ({
    code,
    severity,
    message,
    tool: tool.name,
    location:
      fromDocumentUri(origin.uri) === tool.document.uri ? tool.document.locate(origin.pointer) : tool.locate("/input"),
  }));
  const narrowed = losses
    .filter(({ direction }) => direction === "narrowed")
    .map(({ pointer, keyword }) =>
      lowerDiagnostics(
        "narrowed",
        tool.input.locate(pointer),
        { dialect, pointer: pointer === "" ? "/" : pointer, keyword },
        { tool: tool.name },
      ),
    );
  return [...findings, ...narrowed];
}
