import type { JsonValue } from "@hasp/schema";
import { isList } from "../../model/json-kind.js";
import type { LoadedDocument } from "../../model/document.js";
import { ownMember } from "../../model/own.js";
import { loadSqlParser } from "./sql/parser.js";

/** Loads what declarations need asynchronously: Postgres's parser for SQL. */
export async function prepareHandlers(documents: readonly LoadedDocument[]): Promise<void> {
  if (documents.some(({ role, value }) => role === "spec" && declaresSql(value))) await loadSqlParser();
}

function declaresSql(file: JsonValue): boolean {
  const specs = ownMember(file, "tools") ?? file;
  return (isList(specs) ? specs : [specs]).some((spec) => {
    const handler = ownMember(spec, "handler");
    return handler !== undefined && ownMember(handler, "sql") !== undefined;
  });
}
