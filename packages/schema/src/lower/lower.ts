import { dropUndefined } from "@hasp/base/json";
import { readReferredName } from "./context/references.js";
import type { Codec } from "../codec/codec.js";
import { createDecoder } from "../codec/decode.js";
import { createEncoder } from "../codec/encode.js";
import type { Origin, SchemaDiagnostic } from "@hasp/base/diagnostics";
import { keywordOrder } from "../dialects/definition/keyword-table.js";
import type { Dialect, DialectName } from "../dialects/definition/dialect.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { findDialect } from "../dialects/index.js";
import { flatten } from "../flatten/flatten.js";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema, SchemaObject, UncheckedSchema } from "../vocabulary/json-schema.js";
import { createMatcher } from "../validate/index.js";
import { orderNode } from "./context/node-builder.js";
import { toJsonSchema } from "./losses/json-schema-form.js";
import { lowerToFixpoint, withDefinitionCodecs } from "./lower-root.js";
import { formatFinding, type LowerFinding } from "./context/diagnostics.js";
import { findAction, findFlatNode, type LostConstraint, type LoweringContext } from "./context/context.js";
import { findBrokenLimits } from "./request/measure.js";
import type { Loss, LowerOptions, LowerResult } from "./context/types.js";
import { FlatSource } from "./flat-source.js";
import { keywordRow } from "../vocabulary/keywords.js";
import { walkSchema } from "../vocabulary/walk-schema.js";
import { findWitnesses } from "./losses/witness.js";

const WITNESS_BUDGET = 200;

/**
 * Lowers a schema to a dialect, as a sound over-approximation: every value that the schema accepts can be encoded for
 * the lowered schema and decoded unchanged. A constraint that the dialect cannot express is described to the model and
 * reported as a loss. Flattens the schema first; does not close it.
 */
export function lower(
  schema: JsonSchema | UncheckedSchema,
  dialect: DialectId | Dialect,
  options: LowerOptions = {},
): LowerResult {
  const target = findDialect(dialect);
  if (options.flat !== undefined) {
    const known = options.flat instanceof FlatSource && options.flat.schema === schema ? options.flat : undefined;
    return lowerFlat(known ?? new FlatSource(schema as JsonSchema, options.flat), [], target, options);
  }
  const flat = flatten(schema as UncheckedSchema, options);
  if (flat.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return nothing(flat.diagnostics);
  return lowerFlat(new FlatSource(flat.schema, flat), flat.diagnostics, target, options);
}

function lowerFlat(
  source: FlatSource,
  found: readonly SchemaDiagnostic[],
  dialect: Dialect,
  options: LowerOptions,
): LowerResult {
  const { root } = source;
  const { context, lowered } = lowerToFixpoint(source, dialect, options);
  const locator = createLocator(source, context, options);
  const diagnostics = [
    ...found,
    ...foreignKeywords(source, context, locator),
    ...refusedKeywords(source, context, locator),
    ...problemsOf(context, locator),
  ];
  const isRefused = diagnostics.some((diagnostic) => diagnostic.severity === "error");
  if (lowered === undefined || isRefused) return { ...nothing(diagnostics), losses: lossesOf(context, locator) };
  const schema = withDefinitions(context, lowered.schema);
  const codec = withDefinitionCodecs(context, lowered.codec);
  const broken = findBrokenLimits(schema, dialect).map((finding) => ({ ...finding, origin: locator.originOf(root) }));
  const losses = lossesOf(context, locator);
  if (broken.length > 0) return { ...nothing([...diagnostics, ...broken]), losses };
  const result: LowerResult = {
    schema,
    losses,
    diagnostics,
    codec,
    encode: encoder(codec, schema, losses),
    decode: createDecoder(codec),
    sourceOf: (node) => locator.pointerOf(node),
  };
  const budget = options.witnessBudget ?? WITNESS_BUDGET;
  return budget > 0 && losses.length > 0
    ? { ...result, losses: findWitnesses(root, [result], budget)[0] ?? losses }
    : result;
}

function nothing(diagnostics: readonly SchemaDiagnostic[]): LowerResult {
  return {
    schema: undefined,
    losses: [],
    diagnostics,
    codec: undefined,
    encode: () => {
      throw new RangeError("The dialect cannot express this schema; the diagnostics say why.");
    },
    decode: (value) => value,
    sourceOf: () => undefined,
  };
}

function withDefinitions(context: LoweringContext, schema: SchemaObject): SchemaObject {
  if (context.loweredDefinitions.size === 0) return schema;
  const authored = Object.keys(context.definitions);
  const names = usedDefinitions(context, schema);
  if (names.length === 0) return schema;
  const sorted = [
    ...authored.filter((name) => names.includes(name)),
    ...names.filter((name) => !authored.includes(name)),
  ];
  const $defs = Object.fromEntries(
    sorted.map((name) => [name, context.loweredDefinitions.get(name)?.schema ?? false] as const),
  );
  const node = orderNode(new Map<string, unknown>(Object.entries({ ...schema, $defs })));
  const from = context.origins.get(schema);
  if (from !== undefined) context.origins.set(node, from);
  return node;
}

function usedDefinitions(context: LoweringContext, schema: SchemaObject): readonly string[] {
  const used = new Set<string>();
  const pending: SchemaObject[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    walkSchema(next, (visit) => {
      const name = readReferredName(visit.schema);
      if (name === undefined || used.has(name)) return;
      used.add(name);
      const definition = context.loweredDefinitions.get(name);
      if (definition !== undefined) pending.push(definition.schema);
    });
  }
  return [...used];
}

/** Returns `encode`, which throws for a value that narrowing excludes. */
function encoder(
  codec: Codec | undefined,
  schema: SchemaObject,
  losses: readonly Loss[],
): (value: JsonValue) => JsonValue {
  const encode = createEncoder(codec);
  if (losses.every((loss) => loss.direction === "widened")) return encode;
  let isTaken: ((value: unknown) => boolean) | undefined;
  return (value) => {
    const sent = encode(value);
    isTaken ??= createMatcher(toJsonSchema(schema));
    if (!isTaken(sent)) {
      throw new RangeError(
        'The lowered schema was narrowed and cannot take this value; the losses of direction "narrowed" say where.',
      );
    }
    return sent;
  };
}

interface NodeLocator {
  pointerOf(node: object): string | undefined;
  originOf(node: object): Origin;
}

/** Creates the locator, which outlives the context. */
function createLocator(
  source: FlatSource,
  { origins }: LoweringContext,
  { baseUri: uri = "", pointer = "" }: LowerOptions,
): NodeLocator {
  const pointerOf = (node: object): string | undefined => source.pointerOf(findFlatNode({ origins }, node));
  const originOf = (node: object): Origin =>
    source.originsOf(findFlatNode({ origins }, node))[0] ?? { uri, pointer: `${pointer}${pointerOf(node) ?? ""}` };
  return { pointerOf, originOf };
}

function foreignKeywords(
  source: FlatSource,
  { dialect }: LoweringContext,
  { originOf }: NodeLocator,
): readonly SchemaDiagnostic[] {
  return source.foreign.flatMap(({ node, keyword }): readonly SchemaDiagnostic[] => {
    const finding = foreignKeyword(keyword, dialect.id);
    return finding === undefined ? [] : [{ ...formatFinding(finding), origin: originOf(node) }];
  });
}

/** Returns the finding about a keyword that is not lowered; nothing for one that only names a schema. */
function foreignKeyword(keyword: string, dialect: DialectName): LowerFinding | undefined {
  const row = keywordRow(keyword);
  if (row === undefined) return ["unknown-keyword", { keyword, dialect }];
  return row.role === "identifier" ? undefined : ["keyword-refused", { variant: "flatten", keyword, dialect }];
}

/** The keywords that a dialect may refuse. References never count: lowering replaces them by their targets. */
const REFUSABLE = /* @__PURE__ */ keywordOrder.filter((keyword) => keyword !== "$ref" && keyword !== "$defs");

function refusedKeywords(
  source: FlatSource,
  context: LoweringContext,
  { originOf }: NodeLocator,
): readonly SchemaDiagnostic[] {
  const { id, keywords, rootKeywords } = context.dialect;
  const refused = REFUSABLE.filter(
    (keyword) =>
      source.keywords.has(keyword) &&
      ((keywords[keyword] ?? "refuse") === "refuse" || rootKeywords?.[keyword] === "refuse"),
  );
  if (refused.length === 0) return [];
  return [...source.nodes].flatMap((node) =>
    refused
      .filter(
        (keyword) => node[keyword] !== undefined && findAction(context, keyword, node === source.root) === "refuse",
      )
      .map((keyword) => ({
        ...formatFinding(["keyword-refused", { variant: "dialect", dialect: id, keyword }]),
        origin: originOf(node),
      })),
  );
}

function problemsOf(context: LoweringContext, { pointerOf, originOf }: NodeLocator): readonly SchemaDiagnostic[] {
  const distinct = new Map<string, SchemaDiagnostic>();
  for (const { node, finding } of context.problems) {
    const diagnostic = { ...formatFinding(finding), origin: originOf(node) };
    distinct.set(`${diagnostic.code} ${pointerOf(node)} ${diagnostic.message}`, diagnostic);
  }
  return [...distinct.values()];
}

function lossesOf(context: LoweringContext, locator: NodeLocator): readonly Loss[] {
  const distinct = new Map<string, Loss>();
  for (const lost of context.losses) {
    const loss = lossOf(lost, context, locator);
    const key = `${loss.pointer} ${loss.keyword} ${loss.direction}`;
    const earlier = distinct.get(key);
    if (earlier === undefined || (earlier.words === undefined && loss.words !== undefined)) distinct.set(key, loss);
  }
  return [...distinct.values()];
}

function lossOf(lost: LostConstraint, context: LoweringContext, locator: NodeLocator): Loss {
  const { node, keyword, direction, words } = lost;
  return {
    dialect: context.dialect.id,
    pointer: locator.pointerOf(node) ?? "",
    origin: locator.originOf(node),
    keyword,
    direction,
    enforcedBy: direction === "widened" ? "runtime" : "nobody",
    ...dropUndefined({ words }),
  };
}
