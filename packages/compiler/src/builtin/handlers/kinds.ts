import type { HandlerKindName } from "../../model/handlers/declaration.js";
import type { HandlerKind } from "./base/handler-kind.js";
import { command } from "./command/index.js";
import { http } from "./http/index.js";
import { mcp } from "./mcp/index.js";
import { sql } from "./sql/index.js";

/** Every kind of declared handler; the only such list. */
export const HANDLER_KINDS: { readonly [Name in HandlerKindName]: HandlerKind<Name> } = { http, sql, command, mcp };

export const handlerKinds: readonly HandlerKind<HandlerKindName>[] = Object.values(HANDLER_KINDS);
