import { appendToPointer, type JsonObject, type JsonValue } from "@hasp/base/json";
import type { SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import type { Dialect, FieldUse, NameRule, Shapes, WireTool } from "../definition/dialect.js";
import type { Keyword } from "../definition/keyword-table.js";
import type { Endpoint } from "./endpoints.js";

/** The entries of a tool list, as a provider receives them. */
export type ToolList = readonly JsonObject[];

/** A statement of a dialect's table, with the lists by which a provider's answers confirm or refute it. */
export interface DialectFact {
  /** The member of the table that states it, as a JSON Pointer. */
  readonly at: string;
  readonly says: string;
  /** Lists that the provider takes if the fact holds. Any provider takes the plain list. */
  readonly keeps: readonly ToolList[];
  /** A list that it refuses if the fact holds. */
  readonly breaks?: ToolList;
  /** True if a provider may take `breaks` by ignoring a part of it: then taking it decides nothing. */
  readonly mayIgnore?: true;
  /** The member's value if the fact does not hold; null if it is then absent. */
  readonly otherwise?: JsonValue;
  /** For the size of something: the largest that is taken, and a list of each size. */
  readonly limit?: { readonly size: number; ofSize(size: number): ToolList };
  /** The reason why no list can test the fact. */
  readonly unprobed?: string;
}

type Evidence = Omit<DialectFact, "at" | "says" | "keeps"> & { readonly keeps?: readonly ToolList[] };

const text: SchemaObject = { type: "string" };
const integer: SchemaObject = { type: "integer" };
const texts: SchemaObject = { type: "array", items: text };
const union = [text, integer];

/** Lists the facts of a dialect's table. Keywords that the table leaves out, or drops without a loss, give none. */
export function listFacts(dialect: Dialect, endpoint: Endpoint): readonly DialectFact[] {
  const builder = createLists(dialect, endpoint);
  const facts = [
    ...keywordFacts(dialect, builder),
    ...nameFacts("/toolName", dialect.toolName, "names of tools", (name) => [builder.tool({ name })]),
    ...propertyNameFacts(dialect, builder),
    ...textFacts(dialect, builder),
    ...shapeFacts(dialect, builder),
    ...limitFacts(dialect, builder),
    ...fieldFacts(dialect, builder),
  ];
  return facts.map(([at, says, statement]) => ({ at, says, keeps: [], ...statement }));
}

/** Builds the list that every provider takes: one tool with one required text. */
export function plainList(dialect: Dialect, endpoint: Endpoint): ToolList {
  return [createLists(dialect, endpoint).tool({})];
}

type NewFact = readonly [at: string, says: string, statement: Evidence];

interface Lists {
  tool(parts: Partial<WireTool>): JsonObject;
  /** An object as the dialect demands it: closed where that can be said, with these properties, all required. */
  object(properties: SchemaMap, more?: SchemaObject): SchemaObject;
  /** A list of one tool with this input, or with this property. */
  ofInput(input: SchemaObject): ToolList;
  ofProperty(schema: SchemaObject | boolean, more?: SchemaObject): ToolList;
  /** A list of tools with these fields, and of what they need beside them; `undefined` if a field has no known value. */
  withFields(fields: readonly FieldUse[], count?: number): ToolList | undefined;
  deferred(count: number): ToolList;
  many(count: number): ToolList;
}

function createLists(dialect: Dialect, { fields = {} }: Endpoint): Lists {
  const isClosed = dialect.keywords.additionalProperties === "keep";
  const object: Lists["object"] = (properties, more = {}) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    ...(isClosed && { additionalProperties: false }),
    ...more,
  });
  const wrap: Lists["tool"] = (parts) =>
    dialect.wrap({
      name: "probe",
      description: "Probe.",
      input: object({ a: text }),
      strict: dialect.variants.loose !== undefined,
      deferred: false,
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      ...parts,
    });
  const repeat = (count: number, make: (name: string) => JsonObject): ToolList =>
    Array.from({ length: count }, (_, index) => make(`probe${index}`));
  const ofInput = (input: SchemaObject): ToolList => [wrap({ input })];
  return {
    tool: wrap,
    object,
    ofInput,
    ofProperty: (schema, more) => ofInput(object({ a: schema }, more)),
    many: (count) => repeat(count, (name) => wrap({ name })),
    deferred: (count) => [
      wrap({}),
      ...repeat(count, (name) => wrap({ name, deferred: true })),
      ...[fields[dialect.deferral ?? ""]?.beside ?? []].flat(),
    ],
    withFields(uses, count = 1) {
      const known = uses.map((use) => [nameField(use), fields[nameField(use)]] as const);
      if (known.some(([, field]) => field === undefined)) return undefined;
      const values = Object.fromEntries(known.map(([name, field]) => [name, field?.value ?? null]));
      return [
        wrap({}),
        ...repeat(count, (name) => ({ ...wrap({ name, strict: false }), ...values })),
        ...known.flatMap(([, field]) => (field?.beside === undefined ? [] : [field.beside])),
      ];
    },
  };
}

function nameField(use: FieldUse): string {
  return typeof use === "string" ? use : use.field;
}

/** Returns the node in which a keyword can stand, and a value for the keyword. `undefined` for a reference. */
function sampleOf(keyword: Keyword, object: Lists["object"]): readonly [SchemaObject, JsonValue] | undefined {
  const closed = object({ b: text });
  // prettier-ignore
  const samples: { readonly [known in Keyword]?: readonly [SchemaObject, unknown] } = {
    title: [text, "Aim"], description: [text, "Aim."], type: [{}, "string"], nullable: [text, true],
    const: [text, "x"], enum: [text, ["x", "y"]],
    format: [text, "date"], pattern: [text, "^x$"], minLength: [text, 1], maxLength: [text, 9],
    contentEncoding: [text, "base64"], contentMediaType: [text, "text/plain"], contentSchema: [text, text],
    minimum: [integer, 1], maximum: [integer, 9], exclusiveMinimum: [integer, 1], exclusiveMaximum: [integer, 9],
    multipleOf: [integer, 2],
    properties: [closed, { b: text }], required: [closed, ["b"]],
    patternProperties: [closed, { "^x": text }], propertyNames: [closed, text],
    minProperties: [closed, 1], maxProperties: [closed, 9],
    dependentRequired: [closed, { b: ["b"] }], dependentSchemas: [closed, { b: closed }],
    unevaluatedProperties: [closed, false],
    prefixItems: [texts, [text]], items: [{ type: "array" }, text], contains: [texts, text],
    minContains: [{ ...texts, contains: text }, 1], maxContains: [{ ...texts, contains: text }, 9],
    minItems: [texts, 1], maxItems: [texts, 9], uniqueItems: [texts, true], unevaluatedItems: [texts, false],
    anyOf: [{}, union], oneOf: [{}, union], allOf: [text, [text]], not: [text, { type: "string", enum: ["x"] }],
    if: [text, text], then: [{ ...text, if: text }, text], else: [{ ...text, if: text }, text],
    default: [text, "x"], examples: [text, ["x"]], deprecated: [text, true], readOnly: [text, true],
    writeOnly: [text, true], $comment: [text, "x"],
  };
  return samples[keyword] as readonly [SchemaObject, JsonValue] | undefined;
}

/** The keywords that the facts about references and closing cover. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(["$defs", "additionalProperties"]);

function keywordFacts({ keywords, rootKeywords = {}, formats }: Dialect, lists: Lists): readonly NewFact[] {
  const { object, ofInput, ofProperty } = lists;
  const definitions: SchemaObject = { $defs: { t: object({ b: text }) } };
  const nested = Object.entries(keywords).flatMap(([keyword, action]): readonly NewFact[] => {
    if (action === "drop" || SAID_ELSEWHERE.has(keyword)) return [];
    // The facts about formats and patterns say which of them a provider takes.
    if (action === "keep" && (keyword === "pattern" || (keyword === "format" && formats !== "any"))) return [];
    const [node, value] = sampleOf(keyword as Keyword, object) ?? [{}, "#/$defs/t"];
    const list = ofProperty({ ...node, [keyword]: value }, keyword === "$ref" ? definitions : {});
    const at = `/keywords/${keyword}`;
    return [action === "keep" ? taken(at, keyword, list, "words") : refused(at, keyword, list)];
  });
  const atRoot = Object.entries(rootKeywords).flatMap(([keyword, action]): readonly NewFact[] => {
    if (action === "drop" || action === "keep") return [];
    const branch = object({ a: text });
    const value =
      keyword === "$ref" ? "#/$defs/t" : keyword === "enum" ? [{ a: "x" }] : keyword === "const" ? { a: "x" } : branch;
    const input = object(
      { a: text },
      { ...(keyword === "$ref" ? definitions : {}), [keyword]: keyword.endsWith("Of") ? [value] : value },
    );
    return [refused(`/rootKeywords/${keyword}`, `${keyword} at the root`, ofInput(input))];
  });
  return [...nested, ...atRoot];
}

function taken(at: string, what: string, list: ToolList, otherwise?: JsonValue): NewFact {
  return [at, `takes ${what}`, { keeps: [list], ...(otherwise !== undefined && { otherwise }) }];
}

function refused(at: string, what: string, list: ToolList): NewFact {
  return [at, `refuses or ignores ${what}`, { breaks: list, mayIgnore: true }];
}

function sized(at: string, says: string, size: number, ofSize: (size: number) => ToolList): NewFact {
  return [at, says, { keeps: [ofSize(size)], breaks: ofSize(size + 1), limit: { size, ofSize } }];
}

function nameFacts(
  at: string,
  { first, further, maxLength, reserved = [] }: NameRule,
  what: string,
  listOf: (name: string) => ToolList,
): readonly NewFact[] {
  const fits = (rule: string, character: string): boolean => new RegExp(`^${rule}$`, "u").test(character);
  const known = ["_", "-", ".", ":", " ", "/"];
  const wrong = known.find((character) => !fits(further, character));
  const notFirst = ["1", "-", "."].find((character) => fits(further, character) && !fits(first, character));
  const allowed = known.filter((character) => fits(further, character)).join("");
  return [
    sized(`${at}/maxLength`, `${what} have at most ${maxLength} characters`, maxLength, (size) =>
      listOf("a".padEnd(size, "b")),
    ),
    [
      `${at}/further`,
      `${what} may have any of ${JSON.stringify(allowed)}${wrong === undefined ? "" : `, and no ${JSON.stringify(wrong)}`}`,
      { keeps: [listOf(`a${allowed}`)], ...(wrong !== undefined && { breaks: listOf(`a${wrong}`) }) },
    ],
    ...(notFirst === undefined
      ? []
      : [[`${at}/first`, `${what} do not begin with ${notFirst}`, { breaks: listOf(`${notFirst}a`) }] as const]),
    ...reserved.map(
      (name, index) =>
        [`${at}/reserved/${index}`, `${what} are not ${name}`, { breaks: listOf(name), otherwise: null }] as const,
    ),
  ];
}

function propertyNameFacts({ propertyName }: Dialect, { object, ofInput }: Lists): readonly NewFact[] {
  if (propertyName === undefined) return [];
  const long = "a".padEnd(propertyName.maxLength + 1, "b");
  return [
    ...nameFacts("/propertyName", propertyName, "names of properties", (name) => ofInput(object({ [name]: text }))),
    ...(propertyName.scope === "root"
      ? [
          taken(
            "/propertyName/scope",
            `names of properties below the root that are longer than ${propertyName.maxLength}`,
            ofInput(object({ a: object({ [long]: text }) })),
            "everywhere",
          ),
        ]
      : []),
  ];
}

/** For each rule on patterns, one that it takes and one that it refuses. */
const PATTERNS: { readonly [rule in Dialect["patterns"]]: readonly [taken: string, refused?: string] } = {
  any: ["(?=x)x"],
  "no-lookaround": ["^x+$", "(?=x)x"],
  simple: ["^[a-z]{1,3}$", "\\bx"],
  unanchored: ["x+", "^x$"],
  anchored: ["^x+$", "x"],
};

function textFacts(dialect: Dialect, { tool, ofProperty }: Lists): readonly NewFact[] {
  const { descriptionLength, formats, patterns, keywords, largestMinItems } = dialect;
  const ofFormat = (format: string): ToolList => ofProperty({ ...text, format });
  const ofPattern = (pattern: string): ToolList => ofProperty({ ...text, pattern });
  const [simple, wrong] = PATTERNS[patterns];
  const listed = formats === "any" || keywords.format !== "keep" ? [] : formats;
  const unlisted = ["uri", "regex"].find((format) => !listed.includes(format)) ?? "";
  return [
    ...(descriptionLength === undefined
      ? []
      : [
          sized(
            "/descriptionLength",
            `descriptions have at most ${descriptionLength} characters`,
            descriptionLength,
            (size) => [tool({ description: "x".repeat(size) })],
          ),
        ]),
    ...listed.map((format, index) => taken(`/formats/${index}`, `the format ${format}`, ofFormat(format), null)),
    ...(listed.length === 0 ? [] : [refused("/formats", "formats that are not listed", ofFormat(unlisted))]),
    ...(keywords.pattern === "keep" ? [taken("/patterns", `the pattern ${simple}`, ofPattern(simple))] : []),
    ...(keywords.pattern === "keep" && wrong !== undefined
      ? [refused("/patterns", `the pattern ${wrong}`, ofPattern(wrong))]
      : []),
    ...(largestMinItems === undefined
      ? []
      : [
          sized("/largestMinItems", `minItems is at most ${largestMinItems}`, largestMinItems, (size) =>
            ofProperty({ ...texts, minItems: size }),
          ),
        ]),
  ];
}

/**
 * A list with a trait. `taking` is the shape's value where a provider takes such a list, `other` where it does not. A
 * list marked `lacks` leaves something out, so a provider cannot take it by ignoring a part of it.
 */
type Trait = readonly [what: string, list: ToolList, taking: JsonValue, other: JsonValue, lacks?: "lacks"];

function shapeFacts({ shapes, keywords }: Dialect, { object, ofInput, ofProperty }: Lists): readonly NewFact[] {
  const { additionalProperties: _, ...open } = object({ a: text });
  const { properties: __, required: ___, ...bare } = object({});
  const optional = ofInput(object({ a: text, b: text }, { required: ["a"] }));
  const noneRequired = ofInput(object({ a: text }, { required: [] }));
  const closed = object({ b: text });
  const next: SchemaObject = { anyOf: [{ $ref: "#/$defs/t" }, { type: "null" }] };
  const link = object({ b: text, next }, shapes.optional === "null" ? {} : { required: ["b"] });
  const toDefinition = (t: SchemaObject, more: SchemaObject = {}): ToolList =>
    ofProperty({ $ref: "#/$defs/t", ...more }, { $defs: { t } });
  const traits: { readonly [shape in keyof Shapes]: Trait | undefined } = {
    nodes: ["a node without a type", ofProperty({ description: "Any." }), "free", "typed"],
    unions: ["anyOf beside other keywords", ofProperty({ description: "Any.", anyOf: union }), "anywhere", "alone"],
    nulls: ["a type array", ofProperty({ type: ["string", "null"] }), "type-array", "branch"],
    optional: ["a property that is not required", optional, "omitted", "null", "lacks"],
    // Where no object can be closed, the plain list is open.
    closing: shapes.closing === "unsaid" ? undefined : ["an open object", ofInput(open), "kept", "demanded", "lacks"],
    maps: [
      "a schema in additionalProperties",
      ofProperty({ type: "object", additionalProperties: text }),
      "kept",
      "pairs",
    ],
    // The facts about prefixItems and $ref cover these two.
    tuples: undefined,
    repetition: undefined,
    enums:
      shapes.enums === "strings"
        ? ["numbers in enum", ofProperty({ ...integer, enum: [1, 2] }), "scalars", "strings"]
        : ["objects in enum", ofProperty({ ...closed, enum: [{ b: "x" }] }), "any", "scalars"],
    anything: ["an empty schema", ofProperty({}), "kept", "text"],
    recursion: ["recursion", toDefinition(link), "references", "cut"],
    referenceSiblings:
      keywords.$ref === "keep"
        ? ["keywords beside $ref", toDefinition(closed, { description: "Any." }), true, false]
        : undefined,
    items: ["an array without items", ofProperty({ type: "array" }), "optional", "demanded", "lacks"],
    // Where each object needs a required property, no object is empty.
    emptyProperties: shapes.someRequired
      ? undefined
      : shapes.emptyProperties === "demanded"
        ? ["a root without properties", ofInput(bare), "kept", "demanded", "lacks"]
        : ["properties: {}", ofProperty(object({})), "kept", "omitted"],
    booleanProperties: ["true as a property's schema", ofProperty(true), true, false],
    // Where every property is required, the fact about `optional` covers this.
    someRequired:
      shapes.optional === "null"
        ? undefined
        : ["an object without a required property", noneRequired, false, true, "lacks"],
  };
  return Object.entries(traits).flatMap(([shape, trait]): readonly NewFact[] => {
    if (trait === undefined) return [];
    const [what, list, taking, other, lacks] = trait;
    const at = `/shapes/${shape}`;
    if (shapes[shape as keyof Shapes] === taking) return [taken(at, what, list, other)];
    return [
      lacks === undefined ? refused(at, what, list) : [at, `refuses ${what}`, { breaks: list, otherwise: taking }],
    ];
  });
}

const OF_STRICT_TOOLS: ReadonlySet<string> = new Set(["strictTools", "optionalProperties", "unionProperties"]);

function limitFacts({ limits, variants }: Dialect, lists: Lists): readonly NewFact[] {
  const { object, ofInput, ofProperty, many, deferred } = lists;
  const texts = (count: number, length = 1): readonly string[] =>
    Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));
  const properties = (count: number, schema: SchemaObject = text): SchemaObject =>
    object(Object.fromEntries(texts(count).map((name) => [`a${name}`, schema])));
  const nest = (levels: number): SchemaObject => (levels < 1 ? text : object({ a: nest(levels - 1) }));
  const builders: { readonly [limit in keyof typeof limits]-?: ((size: number) => ToolList) | undefined } = {
    depth: (size) => ofInput(nest(size)),
    properties: (size) => ofInput(properties(size)),
    enumValues: (size) => ofProperty({ ...text, enum: texts(size) }),
    nameAndValueLength: (size) => ofProperty({ ...text, enum: ["x".repeat(Math.max(1, size - 1))] }),
    largeEnum: (size) => {
      const count = (limits.largeEnum?.values ?? 0) + 1;
      const [first = "", ...others] = texts(count, Math.floor(size / count));
      return ofProperty({ ...text, enum: [first + "x".repeat(size % count), ...others] });
    },
    tools: many,
    deferredTools: deferred,
    strictTools: many,
    optionalProperties: (size) => ofInput({ ...properties(size), required: [] }),
    unionProperties: (size) => ofInput(properties(size, { anyOf: union })),
    requestProperties: (size) => ofInput(properties(size)),
    forcedItems: undefined,
  };
  return Object.entries(builders).flatMap(([name, ofSize]): readonly NewFact[] => {
    const limit = limits[name as keyof typeof limits];
    if (limit === undefined) return [];
    const size = typeof limit === "number" ? limit : limit.length;
    const at = `/limits/${name}${typeof limit === "number" ? "" : "/length"}`;
    const says = `${name}: at most ${size}`;
    if (ofSize === undefined) return [[at, says, { unprobed: "only a request that forces a call would show it" }]];
    if (OF_STRICT_TOOLS.has(name) && variants.loose === undefined) {
      return [[at, says, { unprobed: `only strict tools count: probe ${variants.strict ?? "a strict dialect"}` }]];
    }
    return [sized(at, says, size, ofSize)];
  });
}

function fieldFacts(dialect: Dialect, { tool, withFields, deferred }: Lists): readonly NewFact[] {
  const { fieldRules: { exclusive = [], most = {} } = {}, deferral, exampleField } = dialect;
  const unprobed = "no value of a field is known to the probe";
  const withExample = [tool({ examples: [{ a: "x" }] })];
  return [
    ...(deferral === undefined ? [] : [taken("/deferral", `the field ${deferral}`, deferred(1))]),
    ...(exampleField === undefined ? [] : [taken("/exampleField", `the field ${exampleField}`, withExample)]),
    ...exclusive.map((pair, index): NewFact => {
      const lists = [...pair.map((use) => withFields([use])), withFields(pair)];
      const [first, second, both] = lists;
      return [
        `/fieldRules/exclusive/${index}`,
        `refuses ${pair.map(nameField).join(" beside ")}`,
        first === undefined || second === undefined || both === undefined
          ? { unprobed }
          : { keeps: [first, second], breaks: both, otherwise: null },
      ];
    }),
    ...Object.entries(most).map(([field, size]): NewFact => {
      const ofSize = (count: number): ToolList => withFields([field], count) ?? [];
      const at = appendToPointer("/fieldRules/most", field);
      const says = `at most ${size} tools have ${field}`;
      return withFields([field]) === undefined ? [at, says, { unprobed }] : sized(at, says, size, ofSize);
    }),
  ];
}
