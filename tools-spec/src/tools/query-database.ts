import type { QueryDatabaseHandler } from "../generated/tools/query-database.js";

/** Runs one query in a READ ONLY transaction: the claim of this tool's class rests on the database, not on its text. */
export const execute: QueryDatabaseHandler["execute"] = (input, { context }) => context.database.run(input, "read");
