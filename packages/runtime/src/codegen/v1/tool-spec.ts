import type { JsonSchema } from "@hasp/schema";
import type { ToolDialect } from "../../tool/definition.js";
import type { ConcurrencyClass, FieldGroup, FieldValues, FlagValues, VaryingFlag } from "../../tool/fields.js";
import type { ToolData } from "../../tool/keys.js";
import type { ToolParts } from "../../tool/tool-parts.js";
import type { Lazy } from "./lazy-schema.js";

/** The types of one tool. Each generated module declares them. */
export interface ToolTypes {
  readonly name: string;
  readonly arguments: unknown;
  /** The input of the handler: valid, with defaults. */
  readonly input: unknown;
  readonly output: unknown;
  readonly context: unknown;
  /** The exports that the handler's module must have. */
  readonly handler: object;
  readonly handlerFile: string;
}

/** The input of a generated predicate. The compiler has checked every read of it. */
type CheckedInput = ReturnType<typeof JSON.parse>;

export type SpecPredicate = ((input: CheckedInput) => boolean) | CustomFunction;

/** A function that the handler's module exports, for what a spec cannot express. */
interface CustomFunction {
  readonly custom: string;
}

/** A row of the decision table. */
export interface SpecRule extends Partial<FlagValues> {
  readonly when: SpecPredicate;
  readonly class: ConcurrencyClass;
}

/** The facts that a spec states; a missing one has its strict value. */
export type SpecMetadata = { readonly [Group in FieldGroup]?: Partial<FieldValues<Group>> };

/** A flag that varies with the input. */
export type SpecFlag = { readonly when: SpecPredicate } | { readonly unless: SpecPredicate };

/** A semantic check; a custom one brings its own message. */
export type SpecCheck = { readonly that: (input: CheckedInput) => boolean; readonly message: string } | CustomFunction;

declare const typesOfSpec: unique symbol;

/** The spec of one tool in its generated module. */
export interface ToolSpec<Types extends ToolTypes = ToolTypes> extends Omit<ToolData, "input" | "output"> {
  /** For the type-checker only. */
  readonly [typesOfSpec]?: Types;
  readonly handlerFile: Types["handlerFile"];
  /** Every behavioural fact. A flag that varies has its strict value here. */
  readonly metadata: SpecMetadata;
  readonly describe?: CustomFunction | undefined;
  readonly featureGate?: string;
  readonly searchHint?: string;
  readonly input: Lazy<JsonSchema>;
  readonly output?: Lazy<JsonSchema>;
  readonly bind?: { readonly [property: string]: string };
  /** The schema of an input with these properties filled in, as far as it concerns them. */
  readonly bound?: JsonSchema;
  readonly rules?: readonly SpecRule[];
  /** The key of the resource that a call changes, such as `path(input.path)`. */
  readonly resourceKey?: string;
  readonly flags?: { readonly [Flag in VaryingFlag]?: SpecFlag };
  /** Names the destination of an input; a throw stands for the exact input. */
  readonly destination?: (input: CheckedInput) => unknown;
  readonly validate?: readonly SpecCheck[];
  /** The limits of the process in which `execute` runs; binding requires that process. */
  readonly isolation?: { readonly memoryMb?: number; readonly cpuSeconds?: number; readonly outputMb?: number };
  readonly display?: {
    readonly running?: string;
    readonly done?: string;
    readonly failed?: string;
    readonly rejected?: string;
    readonly progress?: string;
  };
  readonly dialects?: ToolDialects;
  readonly parts?: ToolParts;
}

export interface ToolDialects {
  readonly [dialect: string]: SpecDialect;
}

/** A {@link ToolDialect} whose entry has the type of the provider's SDK. */
interface SpecDialect extends Omit<ToolDialect, "definition"> {
  /** Creates the entry, so that a program pays only for the lists that it sends. */
  readonly definition: () => object;
}
