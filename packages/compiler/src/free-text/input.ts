import type { Dialect, JsonObject, JsonSchema, SchemaObject, WireTool } from "@hasp/schema";
import { dropUndefined, isObject } from "@hasp/base/json";

/** The grammar of a free-text tool, which OpenAI enforces. */
export interface TextGrammar {
  readonly grammar: "lark" | "regex";
  readonly definition: string;
}

/** The `input` of a free-text tool: one text instead of named arguments. */
export interface FreeTextInput extends Pick<
  SchemaObject,
  "description" | "minLength" | "maxLength" | "contentMediaType" | "writeOnly" | "$comment"
> {
  readonly type: "string";
  readonly format?: TextGrammar;
}

/** Reads an `input` that is a text; `undefined` if it describes arguments. */
export function readFreeText(input: JsonSchema | FreeTextInput): FreeTextInput | undefined {
  return isObject(input) && input["type"] === "string" ? (input as unknown as FreeTextInput) : undefined;
}

/** True if a tool's entry asks for bare text instead of arguments, which is all that most APIs know. */
export function takesBareText(
  { input }: { readonly input: JsonSchema | FreeTextInput },
  { entry }: Pick<Dialect, "entry">,
): boolean {
  return entry.text !== undefined && readFreeText(input) !== undefined;
}

/** Builds the entry of a tool in a list: that of a free-text tool where the API has such tools. */
export function wrapEntry(
  tool: WireTool,
  { input }: { readonly input: JsonSchema | FreeTextInput },
  dialect: Pick<Dialect, "entry" | "wrap">,
): JsonObject {
  const text = readFreeText(input);
  if (text === undefined || dialect.entry.text === undefined) return dialect.wrap(tool);
  const { format } = text;
  return dialect.entry.text.wrap(tool, format && { syntax: format.grammar, definition: format.definition });
}

/** Returns the JSON Schema of a text. `pattern` is that of its grammar, if a pattern can express it. */
export function describeText({ format: _grammar, ...text }: FreeTextInput, pattern: string | undefined): SchemaObject {
  return { ...text, ...dropUndefined({ pattern }) };
}
