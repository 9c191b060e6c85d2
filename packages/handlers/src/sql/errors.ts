import { NotExecuted } from "@hasp/runtime";
import { messageOf, readProperty } from "@hasp/runtime/internal";

/** Creates the error of a statement whose transaction was certainly rolled back, or never began. */
export function createRollbackError(connection: string, error: unknown): Error {
  if (error instanceof NotExecuted) return error;
  const state = stateOf(error);
  return Object.assign(new NotExecuted(describe(connection, error)), {
    retryable: isTransient(state),
    // An error of the driver itself may hold the address with its password.
    ...(isSqlState(state) && { cause: error }),
  });
}

/**
 * Creates the error of a failed commit. A database that answers has rolled back, unless its code says otherwise;
 * without an answer the effect is unknown.
 */
export function createFailedCommit(connection: string, error: unknown): Error {
  const state = stateOf(error);
  if (isSqlState(state) && !/^(?:08|57P|40003)/u.test(state)) return createRollbackError(connection, error);
  return new Error(`${describe(connection, error)} while the change was being committed`);
}

/** Creates the error for a client inside a transaction of the host, which must not end with this statement. */
export function refuseInsideTransaction(connection: string): NotExecuted {
  return new NotExecuted(`the client of ${connection} is inside a transaction of the host; give the connection a pool`);
}

/** Describes an error without passwords and addresses of the driver. */
function describe(connection: string, error: unknown): string {
  const state = stateOf(error);
  if (state === undefined) return `${connection} has no connection to the database`;
  if (!isSqlState(state)) return `${connection} cannot reach the database (${state})`;
  // Class 28 names the role that may not log in.
  if (state.startsWith("28")) {
    return `${connection} is not allowed to log in to the database (${state}); check its credentials`;
  }
  return `${messageOf(error)} (${state})`;
}

/** Returns an error's SQLSTATE, or the code of a network failure. */
function stateOf(error: unknown): string | undefined {
  const code = readProperty(error, "code");
  return typeof code === "string" ? code : undefined;
}

function isSqlState(state: string | undefined): state is string {
  return state !== undefined && /^[0-9A-Z]{5}$/u.test(state) && !/^E[A-Z]{4}$/u.test(state);
}

/** True for serialization failures, deadlocks, locks, restarts and lost connections (Postgres, appendix A). */
function isTransient(state: string | undefined): boolean {
  return (
    state === undefined ||
    /^(?:40001|40P01|55P03|57P0[123]|53300|08...|ECONN[A-Z]*|ETIMEDOUT|EPIPE|EAI_AGAIN)$/u.test(state)
  );
}
