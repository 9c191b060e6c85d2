import { declarationOf, type KindedDeclaration } from "../model/handlers/declaration-of.js";
import type { HandlerKindName } from "../model/handlers/declaration.js";
import type { ToolModel } from "../model/tool.js";
import type { Effect } from "./base/effect.js";
import { HANDLER_KINDS } from "./kinds.js";

/** What the declared handler of a tool does. */
export interface DeclaredEffects {
  readonly kind: HandlerKindName;
  readonly effects: readonly Effect[];
}

/** Tells what the handler that a tool declares does; `undefined` where the handler is the user's own code. */
export function declaredEffects({ spec, facts }: ToolModel): DeclaredEffects | undefined {
  const declared = declarationOf(spec);
  return declared === undefined
    ? undefined
    : { kind: declared.kind, effects: facts.of("effects", () => effectsOf(declared)) };
}

function effectsOf(declared: KindedDeclaration): readonly Effect[] {
  switch (declared.kind) {
    case "http":
      return HANDLER_KINDS.http.effects(declared.declaration);
    case "sql":
      return HANDLER_KINDS.sql.effects(declared.declaration);
    case "command":
      return HANDLER_KINDS.command.effects(declared.declaration);
    case "mcp":
      return HANDLER_KINDS.mcp.effects(declared.declaration);
  }
}
