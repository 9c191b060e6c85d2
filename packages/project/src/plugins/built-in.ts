import type { DiagnosticDefinitions } from "@hasp/base/diagnostics";
import {
  compile as compileWith,
  type CompileOptions,
  type CompileResult,
  type PlanInput,
  type Plugins,
  type SourceText,
} from "@hasp/compiler";
import { handlerDiagnostics } from "@hasp/compiler/handlers";
import { type BuiltInPlugin, joinPlugins } from "@hasp/compiler/plugins";
import type { Client } from "@hasp/compiler/model";
import { builtIn, clients as builtInClients } from "@hasp/builtin";

/** The built-in plugins without their rules, to run other rules alone. */
export const withoutRules: readonly BuiltInPlugin[] = builtIn.map((plugin) => ({ ...plugin, rules: [] }));

/** The plugins of a project whose configuration names none. */
export const builtInPlugins: Plugins = joinPlugins(builtIn);

/** The MCP clients that hasp knows, by id. */
export const clients: { readonly [id: string]: Client } = builtInClients;

/**
 * Compiles specs: a pure function of texts and plan. Missing parts of the plan are as in an empty configuration, and
 * missing plugins are hasp's own.
 */
export async function compile(
  sources: readonly SourceText[],
  planned: PlanInput = {},
  options: CompileOptions = {},
): Promise<CompileResult> {
  return compileWith(sources, planned, { ...options, plugins: options.plugins ?? builtInPlugins });
}

/** Loads the findings about declared handlers: those that all kinds share, and those of each. */
export async function loadHandlerFindings(): Promise<DiagnosticDefinitions> {
  const ofKinds = await Promise.all(builtIn.map((plugin) => plugin.loadFindings?.()));
  return Object.assign(
    {},
    ...[handlerDiagnostics, ...ofKinds].map((each) => each?.definitions),
  ) as DiagnosticDefinitions;
}
