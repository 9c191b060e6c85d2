import type { QueryDatabaseHandler } from "../generated/tools/query-database.js";

/** SQLSTATE classes after which trying again may help: a lost connection, a rollback under load, a restart. */
const TRANSIENT = /^(?:08|40|57P)/u;

/** Runs one query in a READ ONLY transaction: the tool's class relies on the database, not on the query text. */
export const execute: QueryDatabaseHandler["execute"] = async (input, { context }) => {
  try {
    return await context.database.run(input, "read");
  } catch (error) {
    const isTransient = error instanceof Error && "code" in error && TRANSIENT.test(String(error.code));
    throw isTransient ? Object.assign(error, { retryable: true }) : error;
  }
};
