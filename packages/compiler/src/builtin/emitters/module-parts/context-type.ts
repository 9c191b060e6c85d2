import type { CompilePlan } from "../../../model/plan.js";
import { type Code, name } from "../../../typescript/code.js";
import { importStatement } from "../../../typescript/declarations.js";

/** The context's type in every module; the user's own name could clash with others. */
const CONTEXT = "Context";

export function printContextType(context: CompilePlan["context"]): Code {
  return name(context === undefined ? "unknown" : CONTEXT);
}

export function importContextType({ type }: NonNullable<CompilePlan["context"]>, path: string): Code {
  return importStatement([{ name: type, isType: true, ...(type === CONTEXT ? {} : { as: CONTEXT }) }], path);
}
