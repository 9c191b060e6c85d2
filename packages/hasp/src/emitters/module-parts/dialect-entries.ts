import type { DialectId, JsonObject, JsonValue } from "@hasp/schema";
import type { LoweredTool } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";
import { type LiteralValue, variable } from "../../typescript/data-literal.js";
import { isSameJson, isSameJsonText } from "../../typescript/same-json.js";

/** The schemas that a module holds as constants. */
export interface SentSchemas {
  readonly input: JsonValue;
  readonly output: JsonValue | undefined;
}

/** Of what the schemas say in whichever order, the one in which it is sent. */
export function sentSchemas(tool: FlatTool, lowered: ReadonlyMap<DialectId, LoweredTool>): SentSchemas {
  const sentAs = (schema: JsonValue, sent: readonly (JsonValue | undefined)[]): JsonValue =>
    sent.find((each) => each !== undefined && isSameJson(each, schema)) ?? schema;
  const entries = [...lowered.values()];
  const input = sentAs(tool.input.schema as JsonValue, entries.map(({ lowering }) => lowering.schema as JsonValue));
  const output = tool.output === undefined ? undefined : sentAs(tool.output.schema as JsonValue, entries.map(({ definition }) => definition[outputKey]));
  return { input, output };
}

/** Where an entry of a dialect that tells of results has their schema. */
const outputKey = "outputSchema";

/**
 * How each dialect lists the tool. What stands in the module already (the schemas, the description) is named, not
 * repeated: most dialects take the input as it is.
 */
export function dialectsOf(tool: FlatTool, lowered: ReadonlyMap<DialectId, LoweredTool>, { input, output }: SentSchemas): LiteralValue {
  return Object.fromEntries(
    [...lowered].map(([dialect, { wireName, definition, lowering }]) => {
      const isInput = isSameJsonText(lowering.schema as JsonValue, input);
      const named = (key: string, value: JsonValue): LiteralValue => {
        if (isInput && value === lowering.schema) return variable("input");
        if (key === "description" && value === tool.spec.description) return variable("description");
        if (key === outputKey && output !== undefined && isSameJsonText(value, output)) return variable("output");
        return value;
      };
      return [
        dialect,
        {
          ...(wireName === tool.name ? {} : { name: wireName }),
          // A codec is plain JSON data; its type only says more.
          ...(lowering.codec === undefined ? {} : { codec: lowering.codec as unknown as JsonObject }),
          definition: withNames(definition, named, wrapperDepth),
        },
      ];
    }),
  );
}

/** How deep in an entry its schema stands at most (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;

function withNames(entry: JsonObject, named: (key: string, value: JsonValue) => LiteralValue, depth: number): LiteralValue {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const found = named(key, value);
      return [key, found === value && isRecord(value) && depth > 0 ? withNames(value, named, depth - 1) : found];
    }),
  );
}

function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
