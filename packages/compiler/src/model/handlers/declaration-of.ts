import type { Declarations, HandlerKindName, SpecBind, SpecHandler } from "./declaration.js";

/** A declaration with the name of its kind. */
export type KindedDeclaration<Kind extends HandlerKindName = HandlerKindName> = {
  readonly [Name in Kind]: { readonly kind: Name; readonly declaration: Declarations[Name] };
}[Kind];

/** Returns the declaration that a spec has in place of code; `undefined` where the handler is the user's own. */
export function declarationOf({ handler }: { readonly handler?: SpecHandler }): KindedDeclaration | undefined {
  if (handler === undefined) return undefined;
  const { http, sql, command, mcp } = handler;
  if (http !== undefined) return { kind: "http", declaration: http };
  if (sql !== undefined) return { kind: "sql", declaration: sql };
  if (command !== undefined) return { kind: "command", declaration: command };
  return mcp === undefined ? undefined : { kind: "mcp", declaration: mcp };
}

/** The name of the connection that a declaration uses; `undefined` for one that uses none. */
export function connectionNameOf({ kind, declaration }: KindedDeclaration): string | undefined {
  return kind === "command" ? undefined : declaration.connection;
}

/** The members of the context that `bind` names, each once. */
export function boundMembers(bind: SpecBind = {}): readonly string[] {
  return [...new Set(Object.values(bind).map((value) => value.split(".")[1] ?? ""))];
}
