import { queryDatabaseMetadata, type QueryDatabaseHandler } from "../generated/tools/query-database.js";
import { secondsInDatabase } from "../services/database.js";

export { readsOnly } from "../services/database.js";

/** Runs one query in a READ ONLY transaction: the tool's class relies on the database, not on the query text. */
export const execute: QueryDatabaseHandler["execute"] = (input, { context, signal }) =>
  context.database.run(input, {
    access: "read",
    signal,
    timeoutSeconds: secondsInDatabase(queryDatabaseMetadata),
  });
