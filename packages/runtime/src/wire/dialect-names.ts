import type { AnyTool } from "../contract/tool.js";

/** Dialects that take a JSON Schema as it is. */
const LOOSE_DIALECTS = [
  "anthropic",
  "bedrock-converse",
  "cohere-v2",
  "gemini",
  "gemini-json-schema",
  "mcp",
  "mcp-2025-11-25",
  "mistral",
  "ollama",
  "openai-chat",
  "openai-responses",
  "vercel-ai-sdk",
] as const;

/** A dialect that a tool can be listed in without being lowered. */
export type LooseDialect = (typeof LOOSE_DIALECTS)[number];

const STRICT = ["anthropic", "bedrock-converse", "cohere-v2", "openai-chat", "openai-responses"].map((id) => `${id}-strict`);
const KNOWN: readonly string[] = [...LOOSE_DIALECTS, ...STRICT];

/** Whether a list for this dialect can hold anything: it is known, or a tool was compiled for it. */
export function hasDialect(dialect: string, tools: readonly AnyTool[]): boolean {
  return KNOWN.includes(dialect) || tools.some((tool) => Object.hasOwn(tool.dialects, dialect));
}
