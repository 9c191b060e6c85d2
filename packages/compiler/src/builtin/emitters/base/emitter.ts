import type { DialectId, JsonValue } from "@hasp/schema";
import type { LoweredToolset, ToolForm } from "../../../model/lowered.js";
import type { FileOwner } from "../../../model/output.js";
import type { CompilePlan } from "../../../model/plan.js";
import type { PolicyModel } from "../../../policies/policy.js";
import type { FlatTool } from "../../../model/tool.js";
import type { Code } from "../../../typescript/code.js";
import type { GeneratedNames } from "../../../typescript/names.js";
import type { Layout } from "./layout.js";
import type { ToolShared } from "./shared-names.js";

/** All that a build knows when it writes. */
export interface EmitInput {
  /** By name. */
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  readonly policies?: readonly PolicyModel[];
  readonly plan: CompilePlan;
}

/** The part of the plan that may show in a tool's files. */
export type EmitPlan = Pick<
  CompilePlan,
  "outDir" | "handlersDir" | "jsonLists" | "context" | "dialects" | "stubTemplates" | "unlocked" | "connections"
>;

/**
 * All that the parts of one tool are made from. Nothing else has a say in them: as long as this is the same, they are.
 */
export interface ToolToEmit {
  readonly tool: FlatTool;
  readonly names: GeneratedNames;
  /** Its form in each dialect, in the plan's order; empty for a tool of no toolset. */
  readonly forms: readonly ToolForm[];
  /** The definitions of shared files that the tool uses, and their names. */
  readonly shared: ToolShared;
  readonly layout: Layout;
  readonly plan: EmitPlan;
}

/** The data from which the files of a whole build are put together, beside each tool's parts. */
export interface BuildToEmit {
  /** By name. */
  readonly tools: readonly {
    readonly name: string;
    readonly names: GeneratedNames;
    /** No constant list has a tool behind a gate. */
    readonly featureGate?: string;
  }[];
  readonly toolsets: readonly EmittedToolset[];
  readonly policies: readonly PolicyModel[];
  readonly layout: Layout;
  readonly plan: EmitPlan & Pick<CompilePlan, "exclude" | "plugins">;
}

/** The tools in each list of a toolset. */
export interface EmittedToolset {
  readonly name: string;
  readonly lists: readonly EmittedList[];
}

/** The names of the tools in one list, and of those that are left out of it. */
interface EmittedList {
  readonly dialect: DialectId;
  readonly tools: readonly string[];
  readonly excluded: readonly string[];
}

/** Gives the part of a tool by the tool's name. Throws where there is none: every tool of a build has one. */
export type PartOf<Part> = (tool: string) => Part;

/** A module as an emitter makes it: code that is still to be formatted, before text that is. */
export interface ModuleDraft {
  readonly code: Code;
  readonly formatted?: readonly string[];
}

/** A file as an emitter makes it. */
export type FileDraft = { readonly path: string; readonly owner: FileOwner } & (
  { readonly text: string } | ModuleDraft
);

/**
 * Makes one kind of file, in two steps. `part` does the work, one tool at a time; its result is plain data and can be
 * cached. `files` puts the parts of all tools together and does little else. Both are pure.
 */
export interface Emitter<Part extends JsonValue = JsonValue> {
  readonly name: string;
  /** Returns one tool's contribution. */
  part(tool: ToolToEmit): Part | Promise<Part>;
  /** The files. */
  files(build: BuildToEmit, partOf: PartOf<Part>): readonly FileDraft[];
}
