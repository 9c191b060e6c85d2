import type { ExecuteSqlHandler } from "../generated/tools/execute-sql.js";

/** Runs one statement with the access that its mode and scope grant; both rules of the spec depend on this line. */
export const execute: ExecuteSqlHandler["execute"] = (input, { context }) =>
  context.database.run(input, input.mode === "read" ? "read" : (input.scope ?? "application"));
