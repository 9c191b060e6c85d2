import { type DeclaredHandler, SecretPatterns, listBeforeRunning, declaredHandler } from "@hasp/runtime/internal";
import { toolResult } from "@hasp/runtime";
import type { SqlConnection } from "./connection.js";

interface SqlDeclaration<Input, Context> {
  /** One statement with the placeholders `$1`, `$2` … */
  readonly text: string;
  /** Returns the values of the placeholders, which are bound, never written into the text. `undefined` is NULL. */
  readonly values?: ((input: Input, context: Context) => readonly unknown[]) | undefined;
  /** Runs the statement in a read-only transaction, whatever the class of the call. Default `false`. */
  readonly readOnly?: boolean | undefined;
  /** The time limit of the call. The database ends the statement shortly before. Default: the database's own. */
  readonly timeoutSeconds?: number | undefined;
  /** Limits the rows of the answer. Default 1000. */
  readonly maxRows?: number | undefined;
}

/** The share of a time limit after which the database ends a statement, so that it answers in time. */
const DATABASE_SHARE = 0.95;

/**
 * Creates the handler of a tool that is one SQL statement in its own transaction, which is read-only if the class of
 * the call is `READ_ONLY`. It answers {@link SqlAnswer}.
 *
 * The JSON of a cell depends only on its type: `int2`, `int4`, floats and booleans as such (`NaN` and the infinities
 * are strings), `json` as its value, `timestamp` in RFC 3339, intervals in ISO 8601, `bytea` in base64, arrays as
 * lists, others as Postgres writes them. A list is bound as an array, or as JSON text for a `json` parameter; a `bytea`
 * takes `{ base64 }` or `{ text }`. With a client that is not of `pg`, its driver decides about both.
 *
 * An error of the database means that nothing was kept. Only a connection that breaks during the commit leaves the
 * effect unknown.
 */
export function sqlHandler<Input, Context>(
  connection: SqlConnection<Context>,
  { text, values, readOnly = false, timeoutSeconds, maxRows = 1000 }: SqlDeclaration<Input, Context>,
): DeclaredHandler<Input, Context> {
  if (!Number.isInteger(maxRows) || maxRows < 0 || maxRows > 1_000_000) {
    throw new TypeError("sqlHandler: `maxRows` must be a whole number from 0 to 1000000.");
  }
  const timeoutMs =
    timeoutSeconds === undefined ? undefined : Math.max(1, Math.round(timeoutSeconds * 1000 * DATABASE_SHARE));
  return declaredHandler(new SecretPatterns(), async (input, options, { secrets }) => {
    const { context, signal } = options;
    secrets.addAll(connection);
    const statement = {
      text,
      values:
        values === undefined ? [] : listBeforeRunning("the values of the statement", () => values(input, context)),
      isReadOnly: readOnly || options.class === "READ_ONLY",
      timeoutMs,
      maxRows,
    };
    const output = await connection.run(statement, { context, signal });
    if (output.truncated !== true) return toolResult({ output });
    const note = `The first ${output.rows.length} rows; more exist. Ask for fewer, or for the next ones.`;
    return toolResult({
      output,
      content: [
        { type: "text", text: JSON.stringify(output) },
        { type: "text", text: note },
      ],
    });
  });
}
