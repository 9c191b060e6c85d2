import type { QueryDatabaseHandler } from "../generated/tools/query-database.js";

/** Runs one query in a READ ONLY transaction: the tool's class relies on the database, not on the query text. */
export const execute: QueryDatabaseHandler["execute"] = (input, { context }) => context.database.run(input, "read");
