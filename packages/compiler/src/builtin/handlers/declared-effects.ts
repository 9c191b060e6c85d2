import { declarationOf, type KindedDeclaration } from "../../model/handlers/declaration-of.js";
import type { HandlerKindName } from "../../model/handlers/declaration.js";
import type { FlatTool } from "../../model/tool.js";
import type { Effect } from "./base/effect.js";
import { HANDLER_KINDS } from "./kinds.js";

interface DeclaredEffects {
  readonly kind: HandlerKindName;
  readonly effects: readonly Effect[];
}

/** Returns the effects of a tool's declared handler; `undefined` if the handler is code. */
export function findDeclaredEffects(tool: FlatTool): DeclaredEffects | undefined {
  const declared = declarationOf(tool.spec);
  return declared === undefined ? undefined : { kind: declared.kind, effects: effectsOf(declared, tool) };
}

function effectsOf<Kind extends HandlerKindName>(
  { kind, declaration }: KindedDeclaration<Kind>,
  tool: FlatTool,
): readonly Effect[] {
  return HANDLER_KINDS[kind].effects(declaration, tool);
}
