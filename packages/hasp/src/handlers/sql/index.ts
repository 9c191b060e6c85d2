import type { HandlerKind } from "../base/handler-kind.js";
import { type Reference, sourceOfPlaceholder } from "../base/references.js";
import type { SpecBind, SqlDeclaration } from "../../model/handlers/declaration.js";
import { sqlConnectionSchema, sqlRequestSchema, sqlRespondSchema, sqlSchema } from "./sql-schema.js";

/** `handler.sql`: one SQL statement. */
export const sql: HandlerKind<"sql"> = {
  name: "sql",
  schema: sqlSchema,
  connectionSchema: sqlConnectionSchema,
  respond: sqlRespondSchema,
  request: sqlRequestSchema,
  references,
};

function references({ statement }: SqlDeclaration, bind: SpecBind): readonly Reference[] {
  const names = new Set([...statement.matchAll(/\$([A-Za-z_][\w.]*)/gu)].map((match) => match[1] ?? ""));
  return [...names].map((name) => ({
    at: "/statement",
    text: `$${name}`,
    role: "statement",
    ...sourceOfPlaceholder(name, bind),
  }));
}
