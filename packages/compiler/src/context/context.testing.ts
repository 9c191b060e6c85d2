import { completePlan } from "../config/complete-plan.js";
import { builtin } from "../builtin/index.js";
import { joinPlugins } from "../plugins/plugin.js";
import type { EmitInput } from "../builtin/emitters/base/emitter.js";
import type { CompileContext } from "./context.js";
import { emit } from "../phases/6-emit/index.js";
import { contextOf } from "../phases/6-emit/prepare.js";
import { type ContextInput, createContext } from "./context.js";

/** A context of tests: nothing is configured, and no file is given, unless the test says so. */
export function testContext(given: Partial<ContextInput> = {}): CompileContext {
  return createContext({ plan: completePlan({}), documents: [], plugins: joinPlugins([builtin]), ...given });
}

/** Emits the files of tools with the emitters that hasp brings. */
export const emitFiles = (input: EmitInput): ReturnType<typeof emit> =>
  emit(input, contextOf(input, joinPlugins([builtin])));
