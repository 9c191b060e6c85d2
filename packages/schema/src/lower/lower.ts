import { definitionName, ROOT } from "./context/references.js";
import type { Codec } from "../codec/codec.js";
import { decode } from "../codec/decode.js";
import { encode } from "../codec/encode.js";
import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";
import type { Dialect } from "../dialects/definition/dialect.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { dialectOf } from "../dialects/dialect-of.js";
import { flatten } from "../flatten/index.js";
import type { JsonValue } from "../json/json.js";
import type { JsonSchema, SchemaMap, SchemaObject, UncheckedSchema } from "../vocabulary/json-schema.js";
import { createJudge } from "../validate/index.js";
import { ordered } from "./context/node-builder.js";
import { asJsonSchema } from "./losses/json-schema-form.js";
import { lowerToFixpoint, withDefinitionCodecs } from "./fixpoint.js";
import { flatNodeOf, type LostConstraint, type LoweringContext } from "./context/context.js";
import { brokenLimits } from "./request/measure.js";
import type { Loss, LowerOptions, LowerResult } from "./context/types.js";
import { isKeyword, pick } from "./context/schema-facts.js";
import { pointerTo, walkSchema, type Visit } from "./context/walk.js";
import { findWitnesses } from "./losses/witness.js";

const WITNESS_BUDGET = 200;

/**
 * Lowers a schema to what a dialect accepts, as a sound over-approximation: each value that the schema accepts can be
 * said in the lowered one (`encode`) and comes back unchanged (`decode`). What the dialect cannot carry is told to the
 * model in words and reported as a loss. Takes any schema and flattens it first; closes nothing by itself.
 */
export function lower(
  schema: JsonSchema | UncheckedSchema,
  dialect: DialectId | Dialect,
  options: LowerOptions = {},
): LowerResult {
  const target = dialectOf(dialect);
  if (options.flat !== undefined) return lowerFlat(schema as JsonSchema, options.flat, [], target, options);
  const flat = flatten(schema as UncheckedSchema, options);
  if (flat.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return nothing(flat.diagnostics);
  return lowerFlat(flat.schema, flat, flat.diagnostics, target, options);
}

type Origins = NonNullable<LowerOptions["flat"]>;

function lowerFlat(
  flat: JsonSchema,
  origins: Origins,
  found: readonly SchemaDiagnostic[],
  dialect: Dialect,
  options: LowerOptions,
): LowerResult {
  const root: SchemaObject = typeof flat === "object" ? flat : flat ? {} : { not: {} };
  const { context, lowered } = lowerToFixpoint(root, dialect, definitionsOf(root), options);
  const places = createPlaces(root, context, origins, options);
  const diagnostics = [...found, ...unknownKeywords(root, context, places), ...problemsOf(context, places)];
  const isRefused = diagnostics.some((diagnostic) => diagnostic.severity === "error");
  if (lowered === undefined || isRefused) return { ...nothing(diagnostics), losses: lossesOf(context, places) };
  const schema = withDefinitions(context, lowered.schema);
  const codec = withDefinitionCodecs(context, lowered.codec);
  const broken = brokenLimits(schema, dialect).map(({ code, message }): SchemaDiagnostic => ({
    code,
    message,
    severity: "error",
    origin: places.originOf(root),
  }));
  const losses = lossesOf(context, places);
  if (broken.length > 0) return { ...nothing([...diagnostics, ...broken]), losses };
  const result: LowerResult = {
    schema,
    losses,
    diagnostics,
    codec,
    encode: encoder(codec, schema, losses),
    decode: (value) => decode(codec, value),
    sourceOf: (node) => places.pointerOf(node),
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
      throw new RangeError("The dialect cannot carry this schema; the diagnostics say why.");
    },
    decode: (value) => value,
    sourceOf: () => undefined,
  };
}

/** `$defs`, and the root itself for references to `#`. */
function definitionsOf(root: SchemaObject): SchemaMap {
  const body = root.$defs === undefined ? root : pick(root, (keyword) => keyword !== "$defs");
  const definitions = Object.create(null) as { [name: string]: JsonSchema };
  for (const [name, schema] of Object.entries(root.$defs ?? {})) definitions[name] = schema;
  definitions[ROOT] = body;
  return definitions;
}

/** Definitions stand in the author's order; only those in use are there. */
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
  const node = ordered(new Map<string, unknown>(Object.entries({ ...schema, $defs })));
  const from = context.origins.get(schema);
  if (from !== undefined) context.origins.set(node, from);
  return node;
}

/** The definitions that the lowered schema refers to, also by way of each other. */
function usedDefinitions(context: LoweringContext, schema: SchemaObject): readonly string[] {
  const used = new Set<string>();
  const pending: SchemaObject[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    walkSchema(next, ({ node }) => {
      const name = node.$ref === undefined ? undefined : definitionName(node.$ref);
      if (name === undefined || used.has(name)) return;
      used.add(name);
      const definition = context.loweredDefinitions.get(name);
      if (definition !== undefined) pending.push(definition.schema);
    });
  }
  return [...used];
}

/** Encodes; where the lowered schema takes fewer values than the source, says so for a value that it does not take. */
function encoder(
  codec: Codec | undefined,
  schema: SchemaObject,
  losses: readonly Loss[],
): (value: JsonValue) => JsonValue {
  if (losses.every((loss) => loss.direction === "widened")) return (value) => encode(codec, value);
  let isTaken: ((value: unknown) => boolean) | undefined;
  return (value) => {
    const sent = encode(codec, value);
    isTaken ??= createJudge(asJsonSchema(schema));
    if (!isTaken(sent)) {
      throw new RangeError(
        'The lowered schema was narrowed and cannot take this value; the losses of direction "narrowed" say where.',
      );
    }
    return sent;
  };
}

interface Places {
  pointerOf(node: object): string | undefined;
  originOf(node: object): Origin;
}

/** Finds the flat node behind any node of the lowering, and where that stands. */
function createPlaces(root: SchemaObject, context: LoweringContext, origins: Origins, options: LowerOptions): Places {
  const { visits } = surveyOf(root);
  const pointerOf = (node: object): string | undefined => {
    const flatNode = flatNodeOf(context, node);
    if (flatNode === context.definitions[ROOT]) return "";
    const visit = visits.get(flatNode);
    return visit === undefined ? undefined : pointerTo(visit);
  };
  const originOf = (node: object): Origin =>
    origins.originsOf(flatNodeOf(context, node))[0] ?? {
      uri: options.baseUri ?? "",
      pointer: `${options.pointer ?? ""}${pointerOf(node) ?? ""}`,
    };
  return { pointerOf, originOf };
}

function problemsOf(context: LoweringContext, places: Places): readonly SchemaDiagnostic[] {
  const distinct = new Map<string, SchemaDiagnostic>();
  for (const { node, code, severity, message } of context.problems) {
    distinct.set(`${code} ${places.pointerOf(node)} ${message}`, {
      code,
      severity,
      message,
      origin: places.originOf(node),
    });
  }
  return [...distinct.values()];
}

/** Words that are none of JSON Schema never reach a provider; `x-…` are the author's own and go without a remark. */
function unknownKeywords(root: SchemaObject, context: LoweringContext, places: Places): readonly SchemaDiagnostic[] {
  return surveyOf(root).unknown.map(({ node, keyword }) => ({
    code: "lower/unknown-keyword",
    severity: "warning",
    message: `"${keyword}" is no keyword of JSON Schema and is not sent to ${context.dialect.id}. Remove it, or call it "x-${keyword}".`,
    origin: places.originOf(node),
  }));
}

/** What every dialect asks of a flat schema. */
interface Survey {
  readonly visits: ReadonlyMap<object, Visit>;
  /** Keywords that are none of JSON Schema, and no one's own. */
  readonly unknown: readonly { readonly node: SchemaObject; readonly keyword: string }[];
}

const surveys = new WeakMap<SchemaObject, Survey>();

/** One schema is lowered for several dialects; it is walked for all of them at once. */
function surveyOf(root: SchemaObject): Survey {
  const known = surveys.get(root);
  if (known !== undefined) return known;
  const visits = new Map<object, Visit>();
  const unknown: { readonly node: SchemaObject; readonly keyword: string }[] = [];
  walkSchema(root, (visit) => {
    const { node } = visit;
    visits.set(node, visit);
    for (const keyword of Object.keys(node)) {
      if (!isKeyword(keyword) && !keyword.startsWith("x-")) unknown.push({ node, keyword });
    }
  });
  const survey = { visits, unknown };
  surveys.set(root, survey);
  return survey;
}

function lossesOf(context: LoweringContext, places: Places): readonly Loss[] {
  const distinct = new Map<string, Loss>();
  for (const lost of context.losses) {
    const loss = lossOf(lost, context, places);
    const key = `${loss.pointer} ${loss.keyword} ${loss.direction}`;
    const earlier = distinct.get(key);
    if (earlier === undefined || (earlier.words === undefined && loss.words !== undefined)) distinct.set(key, loss);
  }
  return [...distinct.values()];
}

function lossOf(lost: LostConstraint, context: LoweringContext, places: Places): Loss {
  const { node, keyword, direction, words } = lost;
  return {
    dialect: context.dialect.id,
    pointer: places.pointerOf(node) ?? "",
    origin: places.originOf(node),
    keyword,
    direction,
    enforcedBy: direction === "widened" ? "runtime" : "nobody",
    ...(words === undefined ? {} : { words }),
  };
}
