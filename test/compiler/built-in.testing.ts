import { compile as compileWith, type CompileOptions, type CompileResult, type Plugins } from "@hasp/compiler";
import type { PlanInput, SourceText } from "@hasp/compiler";
import { createContextFor, emit, type EmitInput, joinPlugins, type CompileContext } from "@hasp/compiler/plugins";
import type { ContextInput } from "@hasp/compiler/plugins";
import { testContext as kernelContext } from "./context.testing.js";
import { compileVersion as compileVersionWith } from "@hasp/compiler/diff";
import { builtIn } from "@hasp/builtin";

const plugins: Plugins = joinPlugins(builtIn);

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
export const testContext = (given: Partial<ContextInput> = {}): CompileContext => kernelContext({ plugins, ...given });

export const emitFiles = (input: EmitInput): ReturnType<typeof emit> => emit(input, createContextFor(input, plugins));
