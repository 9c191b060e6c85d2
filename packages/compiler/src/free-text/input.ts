import type { Dialect, JsonSchema, Origin, SchemaObject, WireText } from "@hasp/schema";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import { dropUndefined, isObject } from "@hasp/base/json";

export interface TracedSchema {
  readonly schema: JsonSchema;
  readonly originsOf: (node: object) => readonly Origin[];
}

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

/** Returns the bare text that a tool's entry asks for; `undefined` if it asks for arguments, as most APIs always do. */
export function readWireText(
  { input }: { readonly input: JsonSchema | FreeTextInput },
  { entry }: Pick<Dialect, "entry">,
): WireText | undefined {
  const text = entry.textType === undefined ? undefined : readFreeText(input);
  if (text?.format === undefined) return text && {};
  const { grammar: syntax, definition } = text.format;
  return { grammar: { syntax, definition } };
}

/** Returns the JSON Schema of a text. `pattern` is that of its grammar, if a pattern can say it. */
export function describeText({ format: _grammar, ...text }: FreeTextInput, pattern: string | undefined): SchemaObject {
  return { ...text, ...dropUndefined({ pattern }) };
}

/** Wraps the flat schema of a text as the one member of an object: the form that a free-text tool's input has in hasp. */
export function asTextInput({ schema: text, originsOf }: TracedSchema): TracedSchema {
  const schema: SchemaObject = {
    type: "object",
    properties: { [TEXT_MEMBER]: text },
    required: [TEXT_MEMBER],
    additionalProperties: false,
  };
  return {
    schema,
    originsOf: (node) => (node === schema && typeof text === "object" ? originsOf(text) : originsOf(node)),
  };
}
