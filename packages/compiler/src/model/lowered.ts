import type { DialectId, JsonObject, JsonSchema, LowerResult, Loss, SchemaMeasure } from "@hasp/schema";
import type { FlatTool } from "./tool.js";

/** One tool in one dialect's list. */
export interface LoweredTool {
  readonly tool: FlatTool;
  /**
   * The dialect whose rules it was lowered to: `openai-responses` with `strict: auto` may give
   * `openai-responses-strict`.
   */
  readonly dialect: DialectId;
  readonly strict: boolean;
  /** The name on the wire. */
  readonly wireName: string;
  /** The provider's entry, ready to be sent. */
  readonly definition: JsonObject;
  readonly lowering: LowerResult;
  /** The schema of results in the entry, for dialects that list one. */
  readonly output: LowerResult | undefined;
  /** The schemas in the entry that are said with definitions. */
  readonly hoisted: readonly HoistedSchema[];
  readonly lossCount: number;
}

/** A schema as an entry has it, what it repeats moved to `$defs`. */
export interface HoistedSchema {
  /** The schema as it was lowered. */
  readonly whole: JsonSchema;
  readonly schema: JsonSchema;
  /** The name of each definition, and the nodes of `whole` that refer to it. */
  readonly occurrences: readonly (readonly [name: string, nodes: readonly object[]])[];
}

/** A tool that a dialect cannot express, or that a partial list has no room for, and why. */
export interface ExcludedTool {
  readonly tool: FlatTool;
  readonly reason: string;
}

/**
 * The facts about one tool that its whole list needs: few, and plain data, so that lists can be assembled from tools
 * that an earlier build lowered.
 */
export interface ListMember {
  readonly name: string;
  readonly strict: boolean;
  /** Strict because nothing is lost by it, not because somebody asked: it may be made loose again. */
  readonly isStrictByChoice: boolean;
  readonly isAlwaysLoaded: boolean;
  readonly isDeferred: boolean;
  /** The counts that the provider limits over a whole list; absent if it limits none. */
  readonly measure?: SchemaMeasure;
}

/** The outcome of one tool in one configured dialect; the same in every toolset that lists the tool. */
export type ToolForm =
  /** `dialect` is the one that is configured; `lowered.dialect` may be its strict variant. */
  | { readonly kind: "listed"; readonly dialect: DialectId; readonly lowered: LoweredTool }
  | { readonly kind: "excluded"; readonly dialect: DialectId; readonly reason: string };

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

/** The outcome of each tool, by its name; nothing for a tool of no toolset. */
export function formsByTool(toolsets: readonly LoweredToolset[]): ReadonlyMap<string, readonly ToolForm[]> {
  const forms = new Map<string, Map<DialectId, ToolForm>>();
  const note = (tool: FlatTool, form: ToolForm): void => {
    const ofTool = forms.get(tool.name) ?? new Map<DialectId, ToolForm>();
    forms.set(tool.name, ofTool.set(form.dialect, form));
  };
  const lists = toolsets.flatMap((toolset) => toolset.lists);
  for (const { dialect, excluded } of lists) {
    for (const { tool, reason } of excluded) note(tool, { kind: "excluded", dialect, reason });
  }
  // A tool that one partial list has no room for may be in another.
  for (const { dialect, tools } of lists) {
    for (const lowered of tools) note(lowered.tool, { kind: "listed", dialect, lowered });
  }
  return new Map([...forms].map(([name, ofTool]) => [name, [...ofTool.values()]]));
}
