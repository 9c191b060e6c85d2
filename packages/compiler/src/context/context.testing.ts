import { completePlan } from "../model/complete-plan.js";
import { builtin, createContextFor } from "../builtin/index.js";
import { type EmitInput, joinPlugins } from "./plugins.js";
import type { CompileContext } from "./context.js";
import { emit } from "../phases/6-emit/index.js";
import { type ContextInput, createContext } from "./context.js";

/** Creates a context for tests. Nothing is configured and no file is given unless the test says so. */
export function testContext(given: Partial<ContextInput> = {}): CompileContext {
  return createContext({ plan: completePlan({}), documents: [], plugins: joinPlugins(builtin), ...given });
}

export const emitFiles = (input: EmitInput): ReturnType<typeof emit> => emit(input, createContextFor(input));
