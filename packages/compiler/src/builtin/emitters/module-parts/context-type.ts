import type { CompilePlan } from "../../../model/plan.js";
import { type Code, name } from "../../../typescript/code.js";
import { importStatement } from "../../../typescript/declarations.js";

/** The name of the context's type in every module: the user's own name for it could clash with any other name there. */
const CONTEXT = "Context";

/** The type of the context in a module that imports it. */
export function contextName(context: CompilePlan["context"]): Code {
  return name(context === undefined ? "unknown" : CONTEXT);
}

/** Prints the import of the context's type from a path. */
export function contextImport({ type }: NonNullable<CompilePlan["context"]>, path: string): Code {
  return importStatement([{ name: type, isType: true, ...(type === CONTEXT ? {} : { as: CONTEXT }) }], path);
}
