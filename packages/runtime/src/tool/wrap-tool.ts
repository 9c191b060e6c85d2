import type { JsonObject, JsonValue } from "@hasp/schema";
import type { AnyTool } from "./tool.js";
import { copyJson } from "../json/copy-json.js";

type Wrap = (tool: AnyTool, schema: JsonValue) => JsonObject;

const openFunction: Wrap = ({ name, description }, parameters) => ({
  type: "function",
  function: { name, description, parameters },
});

const gemini: Wrap = ({ name, description }, parametersJsonSchema) => ({ name, description, parametersJsonSchema });

const mcp: Wrap = ({ name, title, description, output, metadata: { behavior } }, inputSchema) => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema,
  ...(output !== undefined && { outputSchema: copyJson(output) }),
  annotations: {
    readOnlyHint: behavior.isReadOnly,
    destructiveHint: behavior.isDestructive,
    idempotentHint: behavior.isIdempotent === true,
    openWorldHint: behavior.isOpenWorld,
  },
});

/**
 * The shape of one entry in each dialect that takes a JSON Schema as it is. Strict dialects do not: they need lowering.
 */
const SHAPES: { readonly [dialect: string]: Wrap } = {
  anthropic: ({ name, description }, input_schema) => ({ name, description, input_schema }),
  "bedrock-converse": ({ name, description }, json) => ({ toolSpec: { name, description, inputSchema: { json } } }),
  "cohere-v2": openFunction,
  gemini,
  "gemini-json-schema": gemini,
  mcp,
  "mcp-2025-11-25": mcp,
  mistral: openFunction,
  ollama: openFunction,
  "openai-chat": ({ name, description }, parameters) => ({
    type: "function",
    function: { name, description, parameters, strict: false },
  }),
  "openai-responses": ({ name, description }, parameters) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }),
  "vercel-ai-sdk": ({ name, description }, inputSchema) => ({ name, description, inputSchema, strict: false }),
};

/** Dialects that take lowered schemas only. */
const STRICT = [
  "anthropic-strict",
  "bedrock-converse-strict",
  "cohere-v2-strict",
  "openai-chat-strict",
  "openai-responses-strict",
];

/** A tool's entry with its schema as given; `undefined` where the dialect takes none but lowered schemas. */
export function wrapTool(tool: AnyTool, dialect: string, schema: JsonValue): JsonObject | undefined {
  return Object.hasOwn(SHAPES, dialect) ? SHAPES[dialect]?.(tool, schema) : undefined;
}

/** Whether hasp has a dialect of that name. */
export function isKnownDialect(dialect: string): boolean {
  return Object.hasOwn(SHAPES, dialect) || STRICT.includes(dialect);
}
