import { completePlan } from "../config/complete-plan.js";
import type { CompileContext } from "./context.js";
import { type ContextInput, createContext } from "./context.js";

/** A context of tests: nothing is configured, and no file is given, unless the test says so. */
export function testContext(given: Partial<ContextInput> = {}): CompileContext {
  return createContext({ plan: completePlan({}), documents: [], ...given });
}
