import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { ToolEntry } from "../dispatch/tool-entry.js";
import type { AnyTool } from "../contract/tool.js";
import { copyJson } from "../json/copy-json.js";
import { knownKeywordsOnly } from "./known-keywords.js";

type Wrap = (tool: AnyTool, schema: JsonValue) => JsonObject;

const chat: Wrap = ({ name, description }, parameters) => ({
  type: "function",
  function: { name, description, parameters, strict: false },
});

const mcp: Wrap = ({ name, title, description, metadata: { behavior } }, inputSchema) => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema,
  annotations: {
    readOnlyHint: behavior.isReadOnly,
    destructiveHint: behavior.isDestructive,
    idempotentHint: behavior.isIdempotent === true,
    openWorldHint: behavior.isOpenWorld,
  },
});

/** The shape of one entry in each dialect that takes a JSON Schema as it is. Strict dialects do not: they need lowering. */
const SHAPES: { readonly [dialect: string]: Wrap } = {
  anthropic: ({ name, description }, input_schema) => ({ name, description, input_schema }),
  "openai-chat": chat,
  "openai-responses": ({ name, description }, parameters) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }),
  gemini: ({ name, description }, parametersJsonSchema) => ({ name, description, parametersJsonSchema }),
  "gemini-json-schema": ({ name, description }, parametersJsonSchema) => ({ name, description, parametersJsonSchema }),
  mistral: ({ name, description }, parameters) => ({ type: "function", function: { name, description, parameters } }),
  ollama: ({ name, description }, parameters) => ({ type: "function", function: { name, description, parameters } }),
  "bedrock-converse": ({ name, description }, json) => ({ toolSpec: { name, description, inputSchema: { json } } }),
  mcp,
  "mcp-2025-11-25": mcp,
};

/** Dialects for which only compiled or lowered tools have an entry, beside those that end in `-strict`. */
const LOWERED_ONLY = ["cohere-v2", "vercel-ai-sdk"];

/** Whether there is a dialect of this name, whether or not hand-built tools can be listed for it. */
function isKnownDialect(dialect: string): boolean {
  const loose = dialect.replace(/-strict$/, "");
  return Object.hasOwn(SHAPES, loose) || LOWERED_ONLY.includes(loose);
}

/** Whether a list for this dialect can hold anything: it is known, or a tool was compiled for it. */
export function hasDialect(dialect: string, entries: readonly { readonly tool: AnyTool }[]): boolean {
  return isKnownDialect(dialect) || entries.some(({ tool }) => Object.hasOwn(tool.dialects, dialect));
}

/** A tool's entry with its schema as given; `undefined` where the dialect takes none but lowered schemas. */
export function wrapTool({ tool, server }: ToolEntry, dialect: string): JsonObject | undefined {
  const wrap = Object.hasOwn(SHAPES, dialect) ? SHAPES[dialect] : undefined;
  // A stranger's unknown keywords stay out of the list: they may be refused, or read as instructions.
  const schema: JsonSchema = server === undefined ? tool.input : knownKeywordsOnly(tool.input);
  return wrap?.(tool, copyJson(schema));
}
