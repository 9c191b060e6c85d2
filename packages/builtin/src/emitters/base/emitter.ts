import type { FlowSetting } from "@hasp/runtime";
import type { DialectName, JsonValue } from "@hasp/schema";
import type { ToolForm, NeededExtension, PolicyModel } from "@hasp/compiler/model";
import type { OutputFile, FlatTool, CompilePlan } from "@hasp/compiler";
import type { Code } from "@hasp/compiler/code";
import type { Namespaces } from "@hasp/schema/internal/entries";
import type { GeneratedNames, Layout } from "@hasp/compiler/layout";
import type { HandlerKinds } from "@hasp/compiler/plugin";
import type { ToolEntries } from "./sent-schemas.js";
import type { ToolShared } from "./shared-names.js";

export type EmitPlan = Pick<
  CompilePlan,
  | "outDir"
  | "handlersDir"
  | "importExtension"
  | "jsonLists"
  | "declarations"
  | "bundle"
  | "context"
  | "dialects"
  | "stubTemplates"
  | "unlocked"
  | "connections"
  | "plugins"
>;

/** Input for one tool's parts. Nothing else may affect them. */
export interface ToolToEmit {
  readonly tool: FlatTool;
  readonly names: GeneratedNames;
  /** In the plan's order; empty if the tool is in no toolset. */
  readonly forms: readonly ToolForm[];
  readonly shared: ToolShared;
  readonly entries: ToolEntries;
  readonly layout: Layout;
  readonly plan: EmitPlan;
  readonly kinds: HandlerKinds;
}

/** Input, besides each tool's parts, for the files of a whole build. */
export interface BuildToEmit {
  readonly tools: readonly {
    readonly name: string;
    readonly names: GeneratedNames;
    /** Constant lists leave out gated tools. */
    readonly featureGate?: string;
    readonly isText: boolean;
  }[];
  readonly toolsets: readonly EmittedToolset[];
  readonly extensions: readonly NeededExtension["name"][];
  readonly policies: readonly PolicyModel[];
  readonly layout: Layout;
  readonly plan: EmitPlan & Pick<CompilePlan, "exclude">;
  readonly kinds: HandlerKinds;
}

export interface EmittedToolset {
  readonly name: string;
  readonly flow: FlowSetting;
  readonly lists: readonly EmittedList[];
}

interface EmittedList {
  readonly dialect: DialectName;
  /** Empty if the list has none. */
  readonly namespaces: Namespaces;
  readonly tools: readonly string[];
  /** The deferred ones of `tools`, if entries have no field that says so: a first request must not hold them. */
  readonly later: readonly string[];
  readonly excluded: readonly string[];
}

/** Returns a tool's part by the tool's name. Throws if there is none. */
export type PartOf<Part> = (tool: string) => Part;

/** A module before formatting: code to format, then text that is formatted already. */
export interface ModuleDraft extends Pick<OutputFile, "madeFrom"> {
  readonly code: Code;
  readonly formatted?: readonly string[];
}

export type FileDraft = Omit<OutputFile, "text"> & (Pick<OutputFile, "text"> | ModuleDraft);

/** A kind of file. `part` makes a tool's plain data; `files` combines the parts of all tools. Both are pure. */
export interface Emitter<Part extends JsonValue = JsonValue> {
  readonly name: string;
  part(tool: ToolToEmit): Part | Promise<Part>;
  files(build: BuildToEmit, partOf: PartOf<Part>): readonly FileDraft[];
}
