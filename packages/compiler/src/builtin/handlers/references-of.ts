import type { KindedDeclaration } from "../../model/handlers/declaration-of.js";
import type { HandlerKindName } from "../../model/handlers/declaration.js";
import type { ToolSpec } from "../../model/spec/tool-spec.js";
import type { Reference } from "./base/references.js";
import { HANDLER_KINDS } from "./kinds.js";

/** Lists the values that a tool's declared handler takes from a call. */
export function findReferences<Kind extends HandlerKindName>(
  { kind, declaration }: KindedDeclaration<Kind>,
  { bind = {} }: Pick<ToolSpec, "bind">,
): readonly Reference[] {
  return HANDLER_KINDS[kind].references(declaration, bind);
}
