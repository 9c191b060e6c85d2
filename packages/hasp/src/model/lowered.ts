import type { DialectId, JsonObject, LowerResult, Loss } from "@hasp/schema";
import type { FlatTool } from "./tool.js";

/** One tool in one dialect's list. */
export interface LoweredTool {
  readonly tool: FlatTool;
  /** The dialect whose rules it was lowered to: `openai-responses` with `strict: auto` may give `openai-responses-strict`. */
  readonly dialect: DialectId;
  readonly strict: boolean;
  /** The name on the wire. */
  readonly wireName: string;
  /** The provider's entry, ready to be sent. */
  readonly definition: JsonObject;
  readonly lowering: LowerResult;
}

/** A tool that a dialect cannot carry, and why. */
export interface ExcludedTool {
  readonly tool: FlatTool;
  readonly reason: string;
}

/** One provider list of one toolset. */
export interface LoweredList {
  /** The dialect id as configured. */
  readonly dialect: DialectId;
  /** By tool name. */
  readonly tools: readonly LoweredTool[];
  readonly excluded: readonly ExcludedTool[];
  readonly losses: readonly (Loss & { readonly tool: string })[];
}

/** A selection of the project's tools with its own lists. */
export interface LoweredToolset {
  readonly name: string;
  readonly tools: readonly FlatTool[];
  readonly lists: readonly LoweredList[];
}
