import type { CompilePlan } from "../../model/plan.js";
import { reservedNames } from "../type-names.js";

/** What the context's type is called in a module: its own name, unless that is taken there or is no name at all. */
export function contextName(context: CompilePlan["context"]): string {
  if (context === undefined) return "unknown";
  return context.type === "default" || reservedNames.has(context.type) ? "Context" : context.type;
}

/** How a module imports it. */
export function contextImport(context: NonNullable<CompilePlan["context"]>): string {
  const name = contextName(context);
  return name === context.type ? `type ${name}` : `type ${context.type} as ${name}`;
}
