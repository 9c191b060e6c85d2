import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import type { DialectFamily, DialectId } from "./dialect-id.js";
import type { CompleteKeywordTable, KeywordTable } from "./keyword-table.js";

/** The name of a dialect of a plugin, such as `acme/x`. */
export type PluginDialectId = `${string}/${string}`;

/** The name of any dialect: hasp's own, or one of a plugin. */
export type DialectName = DialectId | PluginDialectId;

/** The tools that one provider's API accepts: facts as data. Everything but `wrap` is plain JSON. */
export interface Dialect {
  readonly id: DialectName;
  /** A dialect of a plugin is a family of its own. */
  readonly family: DialectFamily | PluginDialectId;
  /** The API in one line. */
  readonly title: string;
  /** The form of a list entry in generated TypeScript. */
  readonly entry: EntryConstant;
  /** `unverified`: most rules are inferred, old or second-hand. */
  readonly confidence: "documented" | "unverified";
  /** The day on which the sources of its facts were read. */
  readonly checkedOn?: string;
  /** The dialect of the same API that does, or does not, ask the provider to enforce the schema. */
  readonly variants: { readonly strict?: DialectId; readonly loose?: DialectId };

  readonly toolName: NameRule;
  /** The rule for keys under `properties`, and whether it holds only at the root or everywhere. */
  readonly propertyName?: NameRule & { readonly scope: "root" | "everywhere" };
  /** Most characters of a tool's description, where a limit is known. */
  readonly descriptionLength?: number;

  readonly keywords: CompleteKeywordTable;
  /** The exceptions for the schema's root. */
  readonly rootKeywords?: KeywordTable;
  /** The notes (`x-…`) that the API reads; others are not sent. */
  readonly notes?: readonly `x-${string}`[];
  /** The formats that pass; others go by the action `words`. */
  readonly formats: "any" | readonly string[];
  /** The regular expressions that pass; others go by the action `words`. */
  readonly patterns: "any" | "no-lookaround" | "simple" | "unanchored" | "anchored";
  /** The largest `minItems` that passes; a larger one is sent as this. */
  readonly largestMinItems?: number;
  readonly shapes: Shapes;
  readonly limits: DialectLimits;
  readonly fieldRules?: FieldRules;
  /** The field by which an entry says that its tool is deferred; lists of other APIs leave such tools out. */
  readonly deferral?: string;
  /** The field of an entry for examples; other APIs get one in words. */
  readonly exampleField?: string;

  readonly wrap: WrapEntry;
}

/** Makes the entry for a provider's tool list. */
export type WrapEntry = (tool: WireTool) => JsonObject;

/** The constant that holds an entry in generated code. */
interface EntryConstant {
  readonly type: string;
  /** The entry of a tool that takes bare text, if the API has such tools; elsewhere, an object holds the text. */
  readonly text?: { readonly type: string; wrap(tool: WireTool, grammar?: WireGrammar): JsonObject };
  /** The type of an entry that groups others, if the API has namespaces. */
  readonly namespaceType?: string;
  readonly use: string;
  /** Fields of that type that hasp does not write itself. */
  readonly extraFields?: readonly string[];
}

/** A rule for a name: characters, the first one apart, and length. */
export interface NameRule {
  readonly first: string;
  readonly further: string;
  readonly maxLength: number;
  /** The form of every name, whatever would fit. Without it, names change case only where no capital fits. */
  readonly case?: "snake";
  /** Names that fit, but that the API refuses all the same. */
  readonly reserved?: readonly string[];
}

/** The ways in which values of each shape may be described. */
export interface Shapes {
  /** `typed`: each node is of one type, or a union of such nodes. */
  readonly nodes: "free" | "typed";
  /** The places in which `anyOf` may stand; `alone` means with nothing beside it. */
  readonly unions: "anywhere" | "alone" | "nowhere";
  /** The form of null beside another type. `branch`: of a union, always. */
  readonly nulls: "type-array" | "branch" | "nullable" | "nowhere";
  /** `listed`: every property is in `required`, and null says that it is absent. */
  readonly optional: "omitted" | "null";
  /** `demanded`: each object says `additionalProperties: false`. `unsaid`: the keyword does not exist. */
  readonly closing: "kept" | "demanded" | "unsaid";
  /** The form of an object with undeclared keys and values of one type. */
  readonly maps: "kept" | "pairs";
  readonly tuples: "kept" | "object" | "array";
  readonly enums: "any" | "scalars" | "strings";
  /** The form of a place that accepts any JSON value. */
  readonly anything: "kept" | "text";
  /** The form of recursion. `cut`: the inner use becomes a node without constraints. */
  readonly recursion: "references" | "cut" | "refused";
  /** True if repeated parts of a schema may move to `$defs`, referred to by a bare `$ref`. */
  readonly repetition: boolean;
  readonly referenceSiblings: boolean;
  readonly items: "optional" | "demanded";
  /** `properties: {}` of an object without any. */
  readonly emptyProperties: "kept" | "demanded" | "omitted";
  /** True if `true` and `false` may stand as values under `properties`. */
  readonly booleanProperties: boolean;
  /** True if each object must have a required property, also one that would have no properties at all. */
  readonly someRequired: boolean;
}

/** Bounds on one schema or on the tool list of a whole request; an absent one is unknown or unlimited. */
export interface DialectLimits extends RequestLimits {
  readonly depth?: number;
  readonly properties?: number;
  readonly enumValues?: number;
  /** Characters over property names, definition names, enum and const values. */
  readonly nameAndValueLength?: number;
  /** A string enum of more than `values` values may have at most `length` characters. */
  readonly largeEnum?: { readonly values: number; readonly length: number };
}

/** Bounds on the tool list of a whole request. Both variants of an API state them. */
export interface RequestLimits {
  readonly tools?: number;
  readonly deferredTools?: number;
  readonly strictTools?: number;
  /** Properties outside `required`, over all strict tools. */
  readonly optionalProperties?: number;
  /** Properties that use a union or a type array, over all strict tools. */
  readonly unionProperties?: number;
  readonly requestProperties?: number;
  /** Sum of `maxItems` over all tools. Beyond it, only a request that forces a call is refused. */
  readonly forcedItems?: number;
}

/** Rules on the fields of the entries in one request. A field that is null or false counts as absent. */
export interface FieldRules {
  /** Fields that one tool may not have together. */
  readonly exclusive?: readonly (readonly [FieldUse, FieldUse])[];
  /** The number of tools that may have a field. */
  readonly most?: { readonly [field: string]: number };
}

/** A field of an entry, or only its use with a text, or a list of texts, of which one begins so. */
export type FieldUse = string | { readonly field: string; readonly begins: string };

/** The grammar of a bare text. */
export interface WireGrammar {
  readonly syntax: "lark" | "regex";
  readonly definition: string;
}

/** One tool as a dialect's `wrap` receives it: names and texts already fit for the dialect. */
export interface WireTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** True if the provider is asked to enforce the schema; `undefined` if the dialect has no such field. */
  readonly strict?: boolean;
  readonly examples?: readonly JsonValue[];
  readonly deferred: boolean;
  /** Worst case over all inputs, each stated explicitly. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** Provider fields that the configuration asks for (`cacheControl`, …), already in the provider's own words. */
  readonly extra?: JsonObject;
}
