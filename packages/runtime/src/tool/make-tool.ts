import { createDecoderWith, createValidatorWith, unlowered } from "@hasp/schema/internal/runtime";
import { own, cloneJson, copyJson, deepFreeze } from "@hasp/base/json";
import type { DialectId, JsonObject, JsonSchema, JsonValue, Validator, ValidatorOptions } from "@hasp/schema";
import { createStandardProperties, type StandardProperties } from "./standard-schema.js";
import { answerNow } from "./callback.js";
import { createClassifier, isSometimesFalse } from "./classifier.js";
import type { Display, PlainDefinition, ToolDefinition, AnyTool, Tool } from "./definition.js";
import { toHints, OUTPUT_CHECK } from "./fields.js";
import { TOOL_KEY_ROWS, type ToolData, type ToolFacts } from "./keys.js";
import { resolveMetadata } from "./metadata.js";
import { sentence } from "./sentence.js";
import { ownParts, type ToolParts } from "./tool-parts.js";

/** The part of a third party's schema that may be listed. Its regular expressions are not run here. */
interface ForeignSchema {
  readonly listed: JsonSchema;
}

/** The exports of a lazily loaded handler beside `execute`. */
export type LoadedExports<Input = unknown, Context = unknown> = {
  readonly [Name in "prepare" | "permit" | "isEnabled" | "display"]?:
    | ToolDefinition<Input, unknown, Context>[Name]
    | undefined;
};

/** A definition whose schemas are created with the first value. */
export interface LoadingDefinition<Input, Output, Context> extends Omit<
  PlainDefinition<Input, Output, Context>,
  "input" | "output"
> {
  readonly input: () => JsonSchema;
  readonly output?: (() => JsonSchema) | undefined;
  /** Loads the handler's exports beside `execute`. */
  readonly load?: (() => Promise<LoadedExports<Input, Context>>) | undefined;
  /** The input properties that the host fills in, by the member of the context, and their part of the schema. */
  readonly bound?: { readonly from: { readonly [property: string]: string }; readonly schema: JsonSchema } | undefined;
  readonly registration?: AnyTool["registration"];
}

type SchemaSource = JsonSchema | (() => JsonSchema);

interface GivenDefinition<Input, Output, Context> extends Omit<
  PlainDefinition<Input, Output, Context>,
  "input" | "output"
> {
  readonly input: SchemaSource;
  readonly output?: SchemaSource | undefined;
}

/** Makes a tool from a checked definition. Throws for a foreign schema that cannot be compiled. */
export function makeTool<Input, Output, Context>(
  definition: GivenDefinition<Input, Output, Context>,
  foreign?: ForeignSchema,
): Tool<Input, Output, Context> {
  const { input, output } = definition;
  const schemas = { input: createOnce(input), output: output === undefined ? undefined : createOnce(output) };
  return makeToolWith(
    { ...ownParts, ...(definition.parts as ToolParts | undefined) },
    { ...definition, ...schemas },
    foreign,
  );
}

/** Returns a frozen schema: a tool's must not change after it was built. */
export function freezeSchema(schema: JsonSchema): JsonSchema {
  return Object.isFrozen(schema) ? schema : (deepFreeze(copyJson(schema)) as JsonSchema);
}

function createOnce(source: SchemaSource): () => JsonSchema {
  if (typeof source === "function") return source;
  const schema = freezeSchema(source);
  return () => schema;
}

/** Makes a tool of these parts. Throws a `TypeError` for a definition that plainly needs another. */
export function makeToolWith<Input, Output, Context>(
  parts: ToolParts,
  definition: LoadingDefinition<Input, Output, Context>,
  foreign?: ForeignSchema,
): Tool<Input, Output, Context> {
  const { metadata } = resolveMetadata(definition);
  const classify = createClassifier(definition, metadata);
  const { behavior, bound, prepare, permit, isEnabled, registration, visibility } = definition;
  const key = definition.concurrency?.key;
  const input = (): JsonSchema => deepFreeze(definition.input());
  const { output: createOutput } = definition;
  const output = createOutput && ((): JsonSchema => deepFreeze(createOutput()));
  const dialects = Object.freeze({ ...definition.dialects });
  if (Object.values(dialects).some(({ codec }) => codec !== undefined)) need(parts, "decoders", definition);
  const decoders = new Map<string, ReturnType<typeof createDecoderWith>>();
  const validator = (schema: () => JsonSchema, options: ValidatorOptions): Validator =>
    foreign === undefined
      ? whenNeeded(() => createValidatorWith(parts, schema(), options))
      : createValidatorWith(parts, schema(), { ...options, foreignPatterns: "skip" });
  const validateInput = validator(input, { coerce: definition.coerce ?? true, defaults: true });
  let standard: StandardProperties | undefined;
  const tool: Tool<Input, Output, Context> = {
    ...factsOf(definition),
    get input() {
      return input();
    },
    ...(output !== undefined && { validateOutput: validator(output, {}) }),
    outputCheck: definition.outputCheck ?? OUTPUT_CHECK.strict,
    metadata,
    ...stated({
      destination: behavior?.destination,
      featureGate: visibility?.featureGate,
      searchHint: visibility?.searchHint,
      describe: visibility?.describe,
      prepare,
      permit,
      isEnabled,
      registration,
    }),
    mayLeadOutside:
      metadata.behavior.isOpenWorld ||
      (definition.concurrency?.rules ?? []).some(({ isOpenWorld }) => isOpenWorld !== undefined),
    patterns: parts.patterns,
    mayRead: [metadata.concurrency, ...(definition.concurrency?.rules ?? [])].some((row) => row.class === "READ_ONLY"),
    droppable: Object.freeze({
      untrusted: isSometimesFalse(definition, "returnsUntrusted"),
      private: isSometimesFalse(definition, "returnsPrivate"),
    }),
    needs: Object.freeze({ env: frozenList(definition.needs?.env), context: frozenList(definition.needs?.context) }),
    ...(bound !== undefined && { bound: { from: bound.from, validate: validator(() => bound.schema, {}) } }),
    validate: frozenList(definition.validate),
    examples: frozenList(definition.examples),
    display: displayOf(definition.display),
    dialects,
    ...(definition.external && { external: true }),
    execute: definition.execute,
    classify,
    ...(key !== undefined && { findResource: need(parts, "createResourceFinder", definition)(key) }),
    isConcurrencySafe: (value) => classify(value).class === "READ_ONLY",
    decodeInput: (dialect, value, faults) => {
      const shape = own(dialects, dialect);
      if (shape === undefined) return value;
      const decoder = decoders.get(dialect) ?? createDecoderWith(parts.decoders ?? {}, shape.codec);
      decoders.set(dialect, decoder);
      return decoder(value, faults);
    },
    validateInput,
    definitionFor: (dialect) => {
      const { definition, isExcluded } = own(dialects, dialect) ?? {};
      if (typeof definition === "function") return answerNow(definition()) as JsonObject;
      if (definition !== undefined || isExcluded === true) return definition;
      return wrapTool(tool, dialect, cloneJson((foreign?.listed ?? input()) as JsonValue));
    },
    knowsDialect: (dialect) => isKnownDialect(dialect) || Object.hasOwn(dialects, dialect),
    get "~standard"() {
      return (standard ??= createStandardProperties(input(), validateInput, parts.toDraft07));
    },
  };
  if (output !== undefined) Object.defineProperty(tool, "output", { get: output, enumerable: true });
  return Object.freeze(definition.load === undefined ? tool : withLoading(tool, definition.load));
}

/** Adds functions beside `execute` from a handler that is loaded once, on the first call. */
function withLoading<Input, Output, Context>(
  tool: Tool<Input, Output, Context>,
  load: () => Promise<LoadedExports<Input, Context>>,
): Tool<Input, Output, Context> {
  let loaded: LoadedExports<Input, Context> | undefined;
  let display = tool.display;
  const get = (name: "prepare" | "permit" | "isEnabled"): PropertyDescriptor => ({
    get: () => loaded?.[name],
    enumerable: true,
  });
  return Object.defineProperties(tool, {
    prepare: get("prepare"),
    permit: get("permit"),
    isEnabled: get("isEnabled"),
    display: { get: () => display, enumerable: true },
    load: {
      value: () =>
        loaded === undefined
          ? load().then((exported) => {
              loaded = exported;
              display = { ...display, ...displayOf(exported.display) };
            })
          : undefined,
      enumerable: true,
    },
  });
}

/** Compiles the schema with the first value: a program may load hundreds of tools and call a few. */
function whenNeeded(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  return (value) => (compiled ??= compile())(value);
}

function need<Name extends keyof ToolParts>(
  parts: ToolParts,
  name: Name,
  { name: tool }: { readonly name: string },
): NonNullable<ToolParts[Name]> {
  const part = parts[name];
  if (part === undefined) {
    throw new TypeError(
      `Tool "${tool}" needs \`parts.${name}\` of "@hasp/runtime/codegen/v1". Run \`hasp build\`, or import it.`,
    );
  }
  return part;
}

function displayOf<Input, Context>(display: ToolDefinition<Input, unknown, Context>["display"] = {}): Display<Input> {
  const states = Object.entries(display).filter(([, line]) => line !== undefined);
  return Object.freeze(
    Object.fromEntries(states.map(([state, line]) => [state, typeof line === "string" ? sentence(line) : line])),
  );
}

function factsOf(definition: Omit<ToolData, "input" | "output">): ToolFacts {
  const facts: { [key: string]: unknown } = {};
  for (const [key, { kind, in: stated }] of TOOL_KEY_ROWS) {
    const value = definition[key as keyof typeof definition];
    if (stated !== "both") continue;
    if (kind === "texts") facts[key] = frozenList(value as ToolFacts["tags"] | undefined);
    else if (kind === "text" && value !== undefined) facts[key] = value;
  }
  return facts as unknown as ToolFacts;
}

/** Leaves out the members that are undefined. */
function stated<Members extends object>(
  members: Members,
): { readonly [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

function frozenList<Item>(items: readonly Item[] | undefined): readonly Item[] {
  return Object.freeze([...(items ?? [])]);
}

/** Makes a tool's entry with its schema as given; `undefined` if the dialect accepts lowered schemas only. */
function wrapTool(tool: AnyTool, dialect: string, schema: JsonValue): JsonObject | undefined {
  if (!isKnownDialect(dialect)) return undefined;
  const { name, title, description, output, metadata } = tool;
  return unlowered[dialect]?.({
    name,
    ...(title !== undefined && { title }),
    description,
    input: schema as JsonSchema,
    ...(output !== undefined && { output: cloneJson(output as JsonValue) as JsonSchema }),
    deferred: false,
    hints: toHints(metadata.behavior),
  });
}

function isKnownDialect(dialect: string): dialect is DialectId {
  return Object.hasOwn(unlowered, dialect);
}
