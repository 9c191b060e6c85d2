import type { Tool } from "@hasp/runtime";
import { createReadTool, type ReadResultInput, type ResultStore } from "@hasp/runtime/results";
import { plainText } from "@hasp/runtime/internal";
import { type PostgresPool, queryRows, setUpTables } from "./postgres-pool.js";

export interface PostgresResultStoreOptions {
  /** The longest result, in characters. The model gets a preview of a longer one. Default ten million. */
  readonly mostChars?: number;
  /** Seconds after which a result is removed. Default 7 days. */
  readonly keepSeconds?: number;
}

export interface PostgresResultStore extends ResultStore {
  setUp(): Promise<void>;
  get(reference: string): Promise<string | undefined>;
  readonly readTool: Tool<ReadResultInput, unknown>;
}

const PUT = "insert into hasp_results (reference, record) values ($1, $2)";
const GET = `select record from hasp_results
  where reference = $1 and stored_at > now() - make_interval(secs => $2)`;
/** Removes a few results at a time, so that no call waits for a long deletion. */
const REMOVE_OLD = `delete from hasp_results where reference in (
  select reference from hasp_results where stored_at <= now() - make_interval(secs => $1) limit 100)`;

/**
 * Creates a store of results that any process can read. Nobody can guess another's reference. Throws a `TypeError` for
 * malformed limits.
 */
export function postgresResultStore(
  pool: PostgresPool,
  { mostChars = 10_000_000, keepSeconds = 7 * 86_400 }: PostgresResultStoreOptions = {},
): PostgresResultStore {
  for (const limit of [mostChars, keepSeconds]) {
    if (typeof limit !== "number" || !(limit > 0)) {
      throw new TypeError("`mostChars` and `keepSeconds` must be numbers above 0.");
    }
  }
  // About 30 years count as forever.
  const seconds = Math.min(keepSeconds, 1e9);
  let ready: Promise<void> | undefined;

  async function setUp(): Promise<void> {
    ready ??= setUpTables(pool);
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  }

  async function get(reference: string): Promise<string | undefined> {
    await setUp();
    const [row] = await queryRows(pool, GET, [reference.replaceAll("\0", ""), seconds]);
    return row && (JSON.parse(String(row["record"])) as string);
  }

  return {
    setUp,
    get,
    readTool: createReadTool(get),
    isOfManyProcesses: true,
    async put({ toolName, content }) {
      const text = plainText(content);
      if (text.length > mostChars) throw new RangeError(`the result has more than ${mostChars} characters`);
      await setUp();
      const reference = `${toolName}-${crypto.randomUUID()}`;
      // As JSON: a column of text holds neither U+0000 nor half a surrogate pair.
      await queryRows(pool, PUT, [reference, JSON.stringify(text)]);
      await queryRows(pool, REMOVE_OLD, [seconds]);
      return reference;
    },
  };
}
