// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { type JsonObject, own } from "@hasp/base/json";
import {
  anthropic,
  bedrockConverse,
  cohereV2,
  geminiJsonSchema,
  mcp,
  mcp20251125,
  mistral,
  moonshot,
  ollama,
  openaiChat,
  openaiCompatible,
  openaiResponses,
  vercelAiSdk,
} from "./entry-makers.js";
import { gemini } from "./listing.js";

export { toDraft07 } from "../../tool/standard-schema.js";

type AnyEntryMaker = (listing: object, changes?: object) => JsonObject;

const makers = {
  anthropic,
  bedrockConverse,
  cohereV2,
  gemini,
  geminiJsonSchema,
  mcp,
  mcp20251125,
  mistral,
  moonshot,
  ollama,
  openaiChat,
  openaiCompatible,
  openaiResponses,
  vercelAiSdk,
} as unknown as { readonly [name: string]: AnyEntryMaker };

/** Finds the function of that name that makes a tool's entry in a list. */
export function findEntryMaker(name: string): AnyEntryMaker | undefined {
  return own(makers, name);
}
