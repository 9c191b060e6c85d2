import type { KindedDeclaration } from "../model/handlers/declaration-of.js";
import type { ToolSpec } from "../model/spec.js";
import type { Reference } from "./base/references.js";
import { HANDLER_KINDS } from "./kinds.js";

/** Every value that the declared handler of a tool takes from a call. */
export function referencesOf(declared: KindedDeclaration, { bind = {} }: Pick<ToolSpec, "bind">): readonly Reference[] {
  switch (declared.kind) {
    case "http":
      return HANDLER_KINDS.http.references(declared.declaration, bind);
    case "sql":
      return HANDLER_KINDS.sql.references(declared.declaration, bind);
    case "command":
      return HANDLER_KINDS.command.references(declared.declaration, bind);
    case "mcp":
      return HANDLER_KINDS.mcp.references(declared.declaration, bind);
  }
}
