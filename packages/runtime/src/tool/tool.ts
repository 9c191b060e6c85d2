import type { JsonObject, JsonSchema, JsonValue, ValidationResult } from "@hasp/schema";
import { closeInput } from "./close-input.js";
import { checkDefinition } from "./check-definition.js";
import type {
  Classification,
  Display,
  ExecutionOptions,
  PermissionAnswer,
  PermissionRequest,
  SemanticCheck,
  ToolDefinition,
  ToolDialect,
} from "./definition.js";
import type { ToolMetadata } from "./fields.js";
import type { StandardProperties, StandardSchema } from "../standard/standard-schema.js";
import { makeTool } from "./make-tool.js";

/** A tool ready to be dispatched: checked, closed, every flag decided, frozen. Made by {@link buildTool}. */
export interface Tool<Input = unknown, Output = unknown, Context = unknown> extends StandardSchema {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly owner?: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly searchHint?: string;
  /** What callers may send: closed. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** The tool's own values; a flag that varies stands here with its strict value. */
  readonly metadata: ToolMetadata;
  readonly featureGate?: string;
  readonly needs: { readonly env: readonly string[]; readonly context: readonly string[] };
  readonly validate: readonly SemanticCheck<Input, Context>[];
  readonly examples: readonly { readonly input: JsonObject }[];
  readonly display: Display<Input>;
  readonly dialects: { readonly [dialect: string]: ToolDialect };
  readonly prepare?: (raw: unknown) => unknown;
  readonly permit?: (request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>;
  readonly isEnabled?: () => boolean;
  readonly execute: (input: Input, options: ExecutionOptions<Context>) => Output | Promise<Output>;
  /**
   * Undoes what a dialect's list did to the shape of the input; what it does not understand stays for the validation to
   * refuse.
   */
  readonly decodeInput: (dialect: string, value: JsonValue) => JsonValue;
  /** Coerces without loss, fills defaults and validates, on a copy. */
  readonly validateInput: (value: unknown) => ValidationResult;
  /** Validates structured output, which is taken as it is; absent where the tool has no `output` schema. */
  readonly validateOutput?: (value: unknown) => ValidationResult;
  /** The entry of a provider's list: the compiled one, else the schema as given where the dialect takes that. */
  readonly definitionFor: (dialect: string) => JsonObject | undefined;
  /**
   * Whether hasp knows the dialect, or the tool was compiled for it. A strict one is known also where nothing can be
   * listed.
   */
  readonly knowsDialect: (dialect: string) => boolean;
  /**
   * Class and flags of one call. Never throws: what cannot be judged gets the strict answer. The input must be parsed:
   * valid, with defaults filled, as the dispatcher does it before; predicates are written and proved for such inputs
   * only.
   */
  readonly classify: (input: unknown) => Classification;
  /** Whether a call with this parsed input may run beside others: true only for `READ_ONLY`. */
  readonly isConcurrencySafe: (input: unknown) => boolean;
  /**
   * The tool's input as Standard Schema and Standard JSON Schema, so that a tool may stand wherever a framework takes a
   * schema of these. It says what `input` says; semantic checks, permission and scheduling are the dispatcher's.
   */
  readonly "~standard": StandardProperties;
}

/** Any tool, whatever it takes: the type of lists of tools. */
export type AnyTool = Tool<never, unknown, never>;

/**
 * Makes a tool from a definition: checks names, keys and contradictions, closes the input schema and fills every flag
 * that is not stated with its fail-closed default. Throws a `TypeError` that says what is wrong, where, and what to do.
 */
export function buildTool<Input = unknown, Output = unknown, Context = unknown>(
  definition: ToolDefinition<Input, Output, Context>,
): Tool<Input, Output, Context> {
  checkDefinition(definition);
  return makeTool(definition, closeInput(definition));
}
