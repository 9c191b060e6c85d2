import { dropUndefined } from "@hasp/base/json";
import type { Diagnostic, DiagnosticDefinitions } from "@hasp/base/diagnostics";
import type { HandlerKind, HandlerKindParts } from "../handlers/handler-kind.js";
import { createHandlerKinds, type HandlerKinds } from "../handlers/kinds.js";
import type { OutputFile } from "../model/document.js";
import type { LoweredToolset } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import type { ForeignPlugins } from "../plugins/foreign-plugins.js";
import type { Rule } from "../plugins/rule.js";
import type { Keeping } from "./keeping.js";
import type { CompileContext, EmitStep } from "./context.js";

export interface EmitInput {
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  readonly policies?: readonly PolicyModel[];
  readonly plan: CompilePlan;
}

/** Everything that one plugin emits. */
interface Emit {
  /** Emits every file of a build, by path, with a manifest that also lists the files `added` by other plugins. */
  emitFiles(input: EmitInput, context: CompileContext, added: readonly OutputFile[]): Promise<readonly OutputFile[]>;
  /** The saved form of the results of its steps. */
  readonly keeping: { readonly [Title in EmitStep]: Keeping };
}

/**
 * A plugin that the caller of `compile` passes in process, and so vouches for: what its handler kinds prove counts as
 * proof. No configuration can name one.
 */
export interface BuiltInPlugin {
  readonly name: string;
  readonly rules?: readonly Rule[];
  readonly handlerKinds?: readonly HandlerKind[];
  /** The code of every kind that a plugin of the configuration adds: such a kind is data, which proves nothing. */
  readonly pluginKind?: HandlerKindParts;
  /** Loads what the kinds find in declarations, by the part of the id after `handler/`. */
  loadFindings?(): Promise<{ readonly definitions: DiagnosticDefinitions }>;
  readonly emit?: Emit;
  lintPolicies?(policies: readonly PolicyModel[]): readonly Diagnostic[];
}

/** All plugins of a compilation. */
export interface Plugins {
  readonly rules: readonly Rule[];
  readonly handlerKinds: HandlerKinds;
  readonly emit: Emit | undefined;
  lintPolicies(policies: readonly PolicyModel[]): readonly Diagnostic[];
  /** The plugins that the configuration names, each in a worker of its own. */
  readonly foreign?: ForeignPlugins;
}

/** Joins plugins. Throws if two declare the same kind of handlers, or if two emit: their files would collide. */
export function joinPlugins(builtIn: readonly BuiltInPlugin[], foreign?: ForeignPlugins): Plugins {
  const [emit, other] = builtIn.flatMap((plugin) => plugin.emit ?? []);
  if (other !== undefined) throw new Error("Two plugins emit files, but a build has one manifest.");
  return {
    rules: builtIn.flatMap(({ rules = [] }) => rules),
    handlerKinds: createHandlerKinds(
      builtIn.flatMap((plugin) => plugin.handlerKinds ?? []),
      builtIn.find(({ pluginKind }) => pluginKind !== undefined)?.pluginKind,
    ),
    emit,
    lintPolicies: (policies) => builtIn.flatMap((plugin) => plugin.lintPolicies?.(policies) ?? []),
    ...dropUndefined({ foreign }),
  };
}
