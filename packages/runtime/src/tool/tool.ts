import { closeSchema, findOpenLocations, linearPattern, walkSchema } from "@hasp/schema/internal/runtime";
import type { JsonObject, JsonSchema, JsonValue, ValidationResult, Validator } from "@hasp/schema";
import type { DecodeFault } from "@hasp/schema/codec";
import { checkSchema, findDeadProperty } from "./check-schema.js";
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
import type { OutputCheck, ToolMetadata } from "./fields.js";
import type { ToolFacts } from "./keys.js";
import type { StandardProperties, StandardSchema } from "./standard-schema.js";
import { makeTool } from "./make-tool.js";
import { frozenSchema } from "../json/deep-freeze.js";

/** A tool ready to be dispatched: checked, closed, every flag decided, frozen. Made by {@link buildTool}. */
export interface Tool<Input = unknown, Output = unknown, Context = unknown> extends StandardSchema, ToolFacts {
  /** The schema of the input, closed. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** The treatment of an output that does not fit `output`. */
  readonly outputCheck: OutputCheck;
  /** The tool's own values. A flag that varies has its strict value here. */
  readonly metadata: ToolMetadata;
  readonly featureGate?: string;
  readonly needs: { readonly env: readonly string[]; readonly context: readonly string[] };
  /** The input properties that the host fills in from the context, and the validator of an input with these. */
  readonly bound?: { readonly from: { readonly [property: string]: string }; readonly validate: Validator };
  readonly validate: readonly SemanticCheck<Input, Context>[];
  readonly examples: readonly { readonly input: JsonObject }[];
  readonly display: Display<Input>;
  readonly dialects: { readonly [dialect: string]: ToolDialect };
  readonly prepare?: (raw: unknown) => unknown;
  readonly permit?: (request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>;
  readonly isEnabled?: () => boolean;
  /** Loads the handler if needed: until then it has no `prepare`, `permit` and `isEnabled`. */
  readonly load?: () => Promise<void> | undefined;
  readonly execute: (input: Input, options: ExecutionOptions<Context>) => Output | Promise<Output>;
  /**
   * Undoes the encoding of a dialect's list. Unknown values are left for validation to reject; a call with a fault that
   * it adds must be refused.
   */
  readonly decodeInput: (dialect: string, value: JsonValue, faults: DecodeFault[]) => JsonValue;
  /** Coerces without loss, fills defaults and validates a copy. */
  readonly validateInput: (value: unknown) => ValidationResult;
  /** Validates structured output without changing it; absent if the tool has no `output` schema. */
  readonly validateOutput?: (value: unknown) => ValidationResult;
  /** The entry of a provider's list: the compiled one, or one with the schema as given if the dialect accepts it. */
  readonly definitionFor: (dialect: string) => JsonObject | undefined;
  /**
   * True if hasp knows the dialect or the tool was compiled for it. A strict dialect is known even if it cannot list
   * the tool.
   */
  readonly knowsDialect: (dialect: string) => boolean;
  /**
   * Decides class and flags of one call. Never throws: an error gives the strict answer. The input must be valid, with
   * defaults filled, as the dispatcher passes it; predicates are proved for such inputs only.
   */
  readonly classify: (input: unknown) => Classification;
  /** True if a call with this parsed input may run in parallel with others: only for `READ_ONLY`. */
  readonly isConcurrencySafe: (input: unknown) => boolean;
  /**
   * The input as Standard Schema and Standard JSON Schema, for frameworks that accept these. It covers `input` only;
   * semantic checks, permission and scheduling belong to the dispatcher.
   */
  readonly "~standard": StandardProperties;
}

/** A tool with any input, for lists of tools. */
export type AnyTool = Tool<never, unknown, never>;

/**
 * Makes a tool from a definition: checks names, keys and contradictions, closes the input schema and fills every flag
 * that is not stated with its fail-closed default. Throws a `TypeError` that says what is wrong, where, and what to do.
 */
export function buildTool<Input = unknown, Output = unknown, Context = unknown>(
  definition: ToolDefinition<Input, Output, Context>,
): Tool<Input, Output, Context> {
  checkDefinition(definition);
  const input = closeInput(definition);
  checkSchema(definition.name, "input", definition.input);
  if (definition.output !== undefined) checkSchema(definition.name, "output", definition.output);
  return makeTool({ ...definition, input });
}

/**
 * Closes the input schema of a definition wherever nothing closes or opens it. A compiled schema is closed already and
 * stays the same object. Throws if closing could change the meaning, for a declared property that nothing can contain,
 * and for a location that accepts anything without plainly saying so.
 */
function closeInput(definition: { readonly name: string; readonly input: JsonSchema }): JsonSchema {
  const { name, input } = definition;
  if (typeof input !== "object" || (input.type !== undefined && ![input.type].flat().includes("object"))) {
    throw new TypeError(
      `Tool "${name}": \`input\` must describe an object, because models send objects. Write \`type: "object"\` and \`properties\`.`,
    );
  }
  const { schema, diagnostics } = closeSchema(input);
  const fault = diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (fault !== undefined) {
    throw new TypeError(`Tool "${name}", input${fault.origin.pointer}: ${fault.message}`);
  }
  refuseSlowPatterns(name, input);
  const dead = findDeadProperty(input);
  if (dead !== undefined) {
    throw new TypeError(
      `Tool "${name}", input${dead.declaredAt}: no input can hold \`${dead.name}\`, which input${dead.forbiddenAt} forbids; ` +
        "declare it there as well, or close the whole instead of its part.",
    );
  }
  const disguised = findOpenLocations(schema).find(({ isPlain }) => !isPlain);
  if (disguised !== undefined) {
    throw new TypeError(
      `Tool "${name}", input${disguised.pointer}: this accepts any value, but the schema does not say so explicitly. ` +
        "Say what is accepted (`type`, `properties`, `items`), or write `true` there to accept anything.",
    );
  }
  return frozenSchema(schema);
}

/** Throws for a pattern whose matching may take more than linear time. */
function refuseSlowPatterns(name: string, input: JsonSchema): void {
  walkSchema(input, ({ schema, pointer }) => {
    if (typeof schema !== "object") return;
    for (const pattern of [schema.pattern, ...Object.keys(schema.patternProperties ?? {})]) {
      if (typeof pattern !== "string" || linearPattern(pattern) !== undefined) continue;
      throw new TypeError(
        `Tool "${name}", input${pointer}: the pattern ${JSON.stringify(pattern)} cannot be matched in linear time. ` +
          "Leave out back references and large nested counts.",
      );
    }
  });
}
