import type { CompilePlan } from "../../model/plan.js";
import { RESERVED_WORDS } from "../../model/reserved-words.js";
import { type Code, name } from "../../typescript/code.js";
import { importStatement } from "../../typescript/declarations.js";
import { isOwnTypeName, reservedNames } from "../base/type-names.js";

/** The name of the context's type in a module: its own, unless that is taken there or is not a name at all. */
export function contextName(context: CompilePlan["context"]): Code {
  return name(context === undefined ? "unknown" : localName(context));
}

/** Prints the import of the context's type from a path. */
export function contextImport(context: NonNullable<CompilePlan["context"]>, path: string): Code {
  const local = localName(context);
  return importStatement(
    [{ name: context.type, isType: true, ...(local === context.type ? {} : { as: local }) }],
    path,
  );
}

function localName({ type }: NonNullable<CompilePlan["context"]>): string {
  return reservedNames.has(type) || notTypeNames.has(type) || isOwnTypeName(type) ? "Context" : type;
}

/** Names that no import can have, and names that would hide a type of the language. */
const notTypeNames: ReadonlySet<string> = new Set([
  ...RESERVED_WORDS,
  ..."any bigint boolean never null number object string symbol undefined unknown void".split(" "),
]);
