import type { JsonObject, JsonSchema } from "@hasp/schema";
import type { ToolDialect } from "../../tool/definition.js";
import type { ConcurrencyClass, FieldGroup, FieldValues, FlagValues, VaryingFlag } from "../../tool/fields.js";

/**
 * The types of one tool, bundled so that they travel through the registry together. Generated modules declare one each.
 */
export interface ToolTypes {
  readonly name: string;
  /** What a caller may send. */
  readonly arguments: unknown;
  /** What the handler receives: valid, with defaults filled. */
  readonly input: unknown;
  readonly output: unknown;
  readonly context: unknown;
  /** What the handler's module must export. */
  readonly handler: object;
  /** Path of that module from the project's root. */
  readonly handlerFile: string;
}

/**
 * The input as a generated predicate sees it. The compiler has checked every read against the tool's schema;
 * TypeScript, which knows less (it forgets a guard inside a closure), is not asked again.
 */
export type CheckedInput = ReturnType<typeof JSON.parse>;

/** A generated judgement of one parsed input. */
export type SpecPredicate = ((input: CheckedInput) => boolean) | CustomFunction;

/** A function that the handler's module exports, because an expression was too little. */
export interface CustomFunction {
  readonly custom: string;
}

/** A row of the decision table. */
export interface SpecRule extends Partial<FlagValues> {
  readonly when: SpecPredicate;
  readonly class: ConcurrencyClass;
}

/**
 * Every behavioural fact that the version of hasp which generated a module knew. A field that is newer than the module
 * is missing there and has its strict value.
 */
export type SpecMetadata = { readonly [Group in FieldGroup]?: Partial<FieldValues<Group>> };

/** A flag that varies alone with the input. */
export type SpecFlag = { readonly when: SpecPredicate } | { readonly unless: SpecPredicate };

/** A semantic check; a custom one brings its own message. */
export type SpecCheck = { readonly that: (input: CheckedInput) => boolean; readonly message: string } | CustomFunction;

declare const typesOfSpec: unique symbol;

/**
 * All that a spec says about one tool, as its generated module holds it; only the handler is missing. Plain data, so
 * that the module loads nothing of the runtime; whoever binds it freezes it to the last leaf.
 */
export interface ToolSpec<Types extends ToolTypes = ToolTypes> {
  /** Exists for the type-checker alone. */
  readonly [typesOfSpec]?: Types;
  readonly name: Types["name"];
  readonly title?: string;
  readonly description: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  readonly searchHint?: string;
  readonly handlerFile: Types["handlerFile"];
  /** Every behavioural fact. A flag that varies has its strict value here. */
  readonly metadata: SpecMetadata;
  readonly featureGate?: string;
  /** What callers may send: flat and closed. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly rules?: readonly SpecRule[];
  readonly flags?: { readonly [Flag in VaryingFlag]?: SpecFlag };
  readonly validate?: readonly SpecCheck[];
  readonly needs?: { readonly env?: readonly string[]; readonly context?: readonly string[] };
  readonly examples?: readonly { readonly input: JsonObject }[];
  /** Templates such as `Running {query}`. */
  readonly display?: {
    readonly running?: string;
    readonly done?: string;
    readonly failed?: string;
    readonly rejected?: string;
    readonly progress?: string;
  };
  /** By dialect id. */
  readonly dialects?: ToolDialects;
}

/** How each dialect names, shapes and lists a tool. */
export interface ToolDialects {
  readonly [dialect: string]: SpecDialect;
}

/**
 * How one dialect names, shapes and lists a tool; {@link ToolDialect}, its entry typed as the provider's SDK types it.
 */
export interface SpecDialect extends Omit<ToolDialect, "definition"> {
  /** Makes the entry: a program that sends one list, or none, does not pay for the schemas of all others. */
  readonly definition: () => object;
}
