import type { Diagnostic } from "@hasp/base/diagnostics";
import type { LoadedDocument, OutputFile } from "../model/document.js";
import type { Effect } from "../model/handlers.js";
import type { LoweredToolset } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import type { ForeignPlugins } from "../plugins/foreign-plugins.js";
import type { Plugin } from "../plugins/plugin.js";
import type { Rule } from "../plugins/rule.js";
import type { CompileContext } from "./context.js";

interface DeclaredHandlers {
  /** Loads asynchronously what the declarations need. */
  prepare(documents: readonly LoadedDocument[]): Promise<void>;
  /** Returns the effects of a tool's declared handler; `undefined` if the handler is code. */
  findEffects(tool: Pick<FlatTool, "input" | "spec">): readonly Effect[] | undefined;
  check(tools: readonly FlatTool[], plan: CompilePlan): readonly Diagnostic[];
}

export interface EmitInput {
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  readonly policies?: readonly PolicyModel[];
  readonly plan: CompilePlan;
}

/** The parts that only hasp's own plugin has. */
interface OwnParts {
  readonly handlers: DeclaredHandlers;
  lintPolicies(policies: readonly PolicyModel[]): readonly Diagnostic[];
  /** Emits every file of a build, by path, with a manifest that also lists the files `added` by other plugins. */
  emitFiles(input: EmitInput, context: CompileContext, added: readonly OutputFile[]): Promise<readonly OutputFile[]>;
}

export interface OwnPlugin extends Plugin, OwnParts {}

export interface Plugins extends OwnParts {
  readonly rules: readonly Rule[];
  /** The plugins that the configuration names, each in a worker of its own. */
  readonly foreign?: ForeignPlugins;
}

export function joinPlugins(own: OwnPlugin, others: readonly Plugin[] = [], foreign?: ForeignPlugins): Plugins {
  const { handlers, lintPolicies, emitFiles } = own;
  return {
    handlers,
    lintPolicies,
    emitFiles,
    rules: [own, ...others].flatMap(({ rules = [] }) => rules),
    ...(foreign === undefined ? {} : { foreign }),
  };
}
