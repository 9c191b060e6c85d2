import { handlers, mcp } from "../builtin/handlers/kinds.js";
import { builtin } from "../builtin/index.js";
import { compile as compileWith, type CompileOptions, type CompileResult } from "../compile.js";
import { completePlan, type PlanInput } from "../model/complete-plan.js";
import { compileVersion as compileVersionWith } from "../diff/version.js";
import type { SourceText } from "../model/document.js";
import { emit } from "../phases/6-emit/index.js";
import { type CompileContext, type ContextInput, createContext, createContextFor } from "./context.js";
import { type BuiltInPlugin, type EmitInput, joinPlugins, type Plugins } from "./plugins.js";

export const builtIn: readonly BuiltInPlugin[] = [builtin, handlers, mcp];

export const plugins: Plugins = joinPlugins(builtIn);

/** Compiles with everything that is built in. */
export const compile = async (
  sources: readonly SourceText[],
  plan: PlanInput = {},
  options: CompileOptions = {},
): Promise<CompileResult> => compileWith(sources, plan, { ...options, plugins: options.plugins ?? plugins });

export const compileVersion = async (
  given: Parameters<typeof compileVersionWith>[0],
): ReturnType<typeof compileVersionWith> => compileVersionWith(given, plugins);

/** Creates a context for tests. Nothing is configured and no file is given unless the test says so. */
export function testContext(given: Partial<ContextInput> = {}): CompileContext {
  return createContext({ plan: completePlan({}), documents: [], plugins, ...given });
}

export const emitFiles = (input: EmitInput): ReturnType<typeof emit> => emit(input, createContextFor(input, plugins));
