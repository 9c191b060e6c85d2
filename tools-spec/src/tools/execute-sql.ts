import { executeSqlMetadata, type ExecuteSqlHandler, type ExecuteSqlInput } from "../generated/tools/execute-sql.js";
import { readsOnly, secondsInDatabase } from "../services/database.js";

/** Refuses a statement that is declared as a read but is not one. */
export function readsAsDeclared(input: ExecuteSqlInput): true | string {
  return input.mode === "read" ? readsOnly(input) : true;
}

/** Runs one statement with the access that its mode and scope grant; both rules of the spec depend on this function. */
export const execute: ExecuteSqlHandler["execute"] = (input, { context, signal }) =>
  context.database.run(input, {
    access: input.mode === "read" ? "read" : (input.scope ?? "application"),
    signal,
    timeoutSeconds: secondsInDatabase(executeSqlMetadata),
  });
