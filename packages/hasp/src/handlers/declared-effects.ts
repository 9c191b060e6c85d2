import type { Declarations, HandlerKindName } from "../model/handlers/declaration.js";
import type { ToolSpec } from "../model/spec.js";
import type { ToolModel } from "../model/tool.js";
import type { Effect } from "./base/effect.js";
import { HANDLER_KINDS, handlerKinds } from "./kinds.js";

/** What the declared handler of a tool does. */
export interface DeclaredEffects {
  readonly kind: HandlerKindName;
  readonly effects: readonly Effect[];
}

/** The kind of handler that a spec declares; `undefined` where the handler is the user's own code. */
export function declaredKind({ handler }: ToolSpec): HandlerKindName | undefined {
  return handlerKinds.find(({ name }) => handler?.[name] !== undefined)?.name;
}

/** Tells what the handler that a tool declares does; `undefined` where the handler is the user's own code. */
export function declaredEffects({ spec, facts }: ToolModel): DeclaredEffects | undefined {
  const kind = declaredKind(spec);
  return kind === undefined ? undefined : { kind, effects: facts.of("effects", () => effectsOf(spec, kind)) };
}

function effectsOf<Kind extends HandlerKindName>({ handler }: ToolSpec, kind: Kind): readonly Effect[] {
  const declarations: Partial<Declarations> = handler ?? {};
  const declaration: Declarations[Kind] | undefined = declarations[kind];
  return declaration === undefined ? [] : HANDLER_KINDS[kind].effects(declaration);
}
