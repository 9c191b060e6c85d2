import { type CompileContext, createContext } from "../context/context.js";
import { type EmitInput, joinPlugins, type OwnPlugin } from "../context/plugins.js";
import { emitFiles } from "./emitters/assemble.js";
import { checkHandlers, prepareHandlers } from "../handlers/check-handlers.js";
import { findEffects } from "./handlers/kinds.js";
import { lintPolicies } from "./lint-policies.js";
import { rules } from "./rules/index.js";

/** hasp's own plugin, whose names have no prefix. */
export const builtin: OwnPlugin = {
  name: "hasp",
  rules,
  handlers: { prepare: prepareHandlers, findEffects, check: checkHandlers },
  lintPolicies,
  emitFiles,
};

/** Creates the context for files that are emitted alone. Of the documents, it knows only the specs. */
export function createContextFor({ plan, tools }: EmitInput): CompileContext {
  return createContext({ plan, plugins: joinPlugins(builtin), documents: tools.map(({ document }) => document) });
}
