import {
  type DialectName,
  findWitnesses,
  type JsonObject,
  type JsonSchema,
  type LowerResult,
  type Loss,
  type SchemaMeasure,
} from "@hasp/schema";
import { inherited } from "@hasp/base/json";
import type { FlatTool } from "./tool.js";

export interface LoweredTool {
  readonly tool: FlatTool;
  /** The dialect that it was lowered to, such as `openai-responses-strict` for `openai-responses` with `strict: auto`. */
  readonly dialect: DialectName;
  readonly strict: boolean;
  readonly wireName: string;
  /** The provider's entry, ready to be sent. */
  readonly definition: JsonObject;
  /** The spec's examples, by index, that the entry does not show. */
  readonly hiddenExamples: readonly number[];
  readonly lowering: LowerResult;
  /** The schema of results in the entry, for dialects that list one. */
  readonly output: LowerResult | undefined;
  /** The schemas in the entry whose repeated parts are definitions. */
  readonly hoisted: readonly HoistedSchema[];
  readonly lossCount: number;
}

type LoweredFacts = Pick<LoweredTool, "tool" | "dialect" | "strict" | "wireName" | "lossCount">;

/** Creates a lowered tool of facts; the rest is computed once it is read, which a check does not. */
export const lowerOnDemand: (facts: LoweredFacts, compute: () => LoweredTool) => LoweredTool = inherited<
  LoweredTool,
  keyof LoweredFacts
>(["definition", "hiddenExamples", "lowering", "output", "hoisted"]);

/** A schema whose repeated parts were moved to `$defs`. */
export interface HoistedSchema {
  readonly whole: JsonSchema;
  readonly schema: JsonSchema;
  /** The name of each definition, and the nodes of `whole` that refer to it. */
  readonly occurrences: readonly (readonly [name: string, nodes: readonly object[]])[];
}

/** A tool that a dialect cannot express, or that a partial list has no room for, with the reason. */
export interface ExcludedTool {
  readonly tool: FlatTool;
  readonly reason: string;
}

/** The facts about a tool that its list depends on: plain data, so that an earlier build can supply them. */
export interface ListMember {
  readonly name: string;
  readonly strict: boolean;
  /** True if the tool is strict only because nothing is lost by it: it may become loose again. */
  readonly isStrictByChoice: boolean;
  readonly load: FlatTool["metadata"]["visibility"]["load"];
  /** The counts that the provider limits over a whole list; absent if it limits none. */
  readonly measure?: SchemaMeasure;
  /** The fields of its entry that few tools of a request may have. */
  readonly fields?: readonly string[];
}

/** The outcome of one tool in one configured dialect; the same in every toolset that lists the tool. */
export type ToolForm =
  /** `dialect` is the one that is configured; `lowered.dialect` may be its strict variant. */
  | { readonly kind: "listed"; readonly dialect: DialectName; readonly lowered: LoweredTool }
  | { readonly kind: "excluded"; readonly dialect: DialectName; readonly reason: string };

export interface LoweredList {
  readonly dialect: DialectName;
  readonly tools: readonly LoweredTool[];
  readonly excluded: readonly ExcludedTool[];
}

/** A selection of the project's tools with its own lists. */
export interface LoweredToolset {
  readonly name: string;
  readonly tools: readonly FlatTool[];
  readonly lists: readonly LoweredList[];
}

/** Maximum steps of the search for one witness: a build of a thousand tools pays for each. */
const STEPS_TO_WITNESS = 20;

/** Finds the losses of one tool by dialect, each with a value that shows it if a short search finds one. */
export function findLosses(forms: readonly ToolForm[]): ReadonlyMap<string, readonly Loss[]> {
  const listed = forms.filter((form) => form.kind === "listed");
  const [first] = listed;
  if (first === undefined) return new Map();
  const lowerings = listed.map(({ lowered }) => lowered.lowering);
  const found = findWitnesses(first.lowered.tool.input.schema, lowerings, STEPS_TO_WITNESS);
  return new Map(listed.map(({ dialect }, index) => [dialect, found[index] ?? []]));
}

/** A constraint that one dialect of one toolset cannot carry. */
export type ToolLoss = Loss & { readonly tool: string };

export function listLosses(toolsets: readonly LoweredToolset[]): readonly ToolLoss[] {
  const byTool = new Map(Array.from(groupFormsByTool(toolsets), ([tool, forms]) => [tool, findLosses(forms)]));
  return toolsets.flatMap(({ lists }) =>
    lists.flatMap(({ dialect, tools }) =>
      tools.flatMap(({ tool: { name } }) =>
        (byTool.get(name)?.get(dialect) ?? []).map((loss) => ({ ...loss, tool: name })),
      ),
    ),
  );
}

/** Lists the forms of each tool, by its name; tools of no toolset are missing. */
export function groupFormsByTool(toolsets: readonly LoweredToolset[]): ReadonlyMap<string, readonly ToolForm[]> {
  const forms = new Map<string, Map<DialectName, ToolForm>>();
  const note = (tool: FlatTool, form: ToolForm): void => {
    const ofTool = forms.get(tool.name) ?? new Map<DialectName, ToolForm>();
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

/** Lists what forms depend on besides the plan and the tool's files. */
export function listSettings(forms: readonly ToolForm[]): readonly unknown[] {
  return forms.map((form) =>
    form.kind === "listed" ? [form.dialect, form.lowered.dialect, form.lowered.wireName] : form,
  );
}
