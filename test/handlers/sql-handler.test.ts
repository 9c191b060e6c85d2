import type { ExecutionOptions } from "@hasp/runtime";
import { sqlConnection, sqlHandler, type SqlClient, type SqlConnection } from "@hasp/handlers/sql";
import fc from "fast-check";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabases, type Databases } from "../ask-for.testing.js";

let server: Databases;
let pool: Pool;
let database: SqlConnection;
/** The same database through a client that has nothing but `query`, one call at a time. */
let bare: Client;
let plain: SqlConnection;
beforeAll(async () => {
  server = await createDatabases();
  pool = new Pool({ connectionString: server.urls.application, max: 4 });
  // A connection may still be closing when the server stops.
  pool.on("error", () => undefined);
  database = sqlConnection({ name: "app-db", client: () => pool });
  bare = new Client({ connectionString: server.urls.application });
  await bare.connect();
  const client: SqlClient = { query: (text, values) => bare.query(text, values) };
  plain = sqlConnection({ name: "plain-db", client: () => client });
});
afterAll(async () => {
  await pool.end();
  await bare.end();
});

interface Options {
  readonly on?: SqlConnection;
  readonly readOnly?: boolean;
  readonly class?: ExecutionOptions<unknown>["class"];
  readonly maxRows?: number;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}
const never = new AbortController().signal;

/** Runs a statement as a handler does, and gives its output. */
type SqlAnswer = Awaited<ReturnType<SqlConnection["run"]>>;

async function run(text: string, values: readonly unknown[] = [], options: Options = {}): Promise<SqlAnswer> {
  const { on = database, class: of = "UNSAFE", signal = never, ...rest } = options;
  const execute = sqlHandler<object, unknown>(on, { text, values: () => values, ...rest });
  const { output } = await execute({}, { class: of, signal, context: {} } as ExecutionOptions<unknown>);
  return output as SqlAnswer;
}

const HOSTILE: readonly unknown[] = [
  "", "'", "''", '"', "\\", "\\'", "';--", "'; DROP TABLE users; --", "' OR '1'='1", "1; DELETE FROM users", "1 OR 1=1", "--", "/*", "*/", "/* */",
  "$$", "$x$", "$$; DELETE FROM users; $$", "$1", "$2", ":x", "?", "%", "_", "E'\\'", "U&'\\0027'", "\n", "\r\n", "\t", "\u0001", "\u001a", "\u007f",
  "\u00a0", "\u2019", "\u02bc", "＇", "\u202e", "\ufeff", "💥", "é", "e\u0301", "\u{10ffff}", "NULL", "null", "true", "DEFAULT", "now()", "{}", "{1,2}", "[]",
  "{\"a\":1}", "(1,2)", "ROW(1)", "\\x00", "x'00'", "b'1'", "0", "-1", "1e400", "NaN", "Infinity", "\\.", "\\N", "COPY users TO STDOUT", "COMMIT", "ROLLBACK",
  "SET ROLE postgres", "a".repeat(10_000), "';".repeat(2000), 0, -1, 1.5, 1e21, -0, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, true, false, null, undefined,
  [], ["'"], ["}", "{", ",", '"', "\\"], [null], ["NULL"], ["'; DROP TABLE users; --"], {}, { "'; --": "'; --" }, { base64: "'" }, { text: "'; DROP TABLE users" },
  "a\0b", "\0", ["\0"], { a: "\0" }, "\uD800", ["\uDFFF"],
]; // prettier-ignore

/** A value in each position that a statement has for one; each tells the text that the server was sent. */
const POSITIONS: readonly (readonly [where: string, text: string])[] = [
  ["a column", "SELECT current_query() AS sent, $1::text AS value"],
  ["a condition", "SELECT current_query() AS sent, count(*)::int AS n FROM users WHERE name = $1"],
  ["a pattern", "SELECT current_query() AS sent, 'a' LIKE $1 ESCAPE '!' AS value"],
  ["a list", "SELECT current_query() AS sent, $1 = ANY (ARRAY['a', $1]) AS value"],
  ["an array", "SELECT current_query() AS sent, $1::text[] AS value"],
  ["a JSON value", "SELECT current_query() AS sent, $1::jsonb AS value"],
  ["a limit", "SELECT current_query() AS sent FROM users LIMIT $1"],
  ["an order", "SELECT current_query() AS sent FROM users ORDER BY CASE WHEN $1 = 'name' THEN name ELSE plan END"],
  ["an argument", "SELECT current_query() AS sent, length($1) AS value"],
  ["a quoted neighbour", "SELECT current_query() AS sent, '$1' || $1 || E'\\'' AS value -- $1"],
  ["a new row", "INSERT INTO notes VALUES ($1) RETURNING current_query() AS sent, text AS value"],
  ["a changed row", "UPDATE notes SET text = $1 WHERE false RETURNING current_query() AS sent"],
];

describe("200 hostile values in every position", () => {
  const random = fc.sample(
    fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.array(fc.string({ unit: "grapheme" })), fc.json()),
    200 - HOSTILE.length,
  );
  const values = [...HOSTILE, ...random];
  beforeAll(() => pool.query("CREATE TABLE notes (text text)"));
  const state = async (): Promise<unknown> => {
    const { rows } = await pool.query(
      "SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables",
    );
    return rows[0];
  };

  test.each(POSITIONS)("hostile values change nothing as %s", async (where, text) => {
    expect(values).toHaveLength(200);
    let ran = 0;
    for (const [index, value] of values.entries()) {
      // The other client runs the same protocol, but each value costs it six round trips.
      const on = index % 8 === 0 ? plain : database;
      const answer = await run(text, [value], { on }).catch((error: { readonly code?: unknown }) => {
        expect(error.code, JSON.stringify(value)).toBe("not-executed");
        return undefined;
      });
      // What a cursor runs is what fetches from it.
      const expected = on === plain && text.startsWith("SELECT") ? "FETCH 1001 FROM hasp" : text;
      for (const { sent } of answer?.rows ?? []) expect(sent).toBe(expected);
      if (answer !== undefined) ran += 1;
      const isText = typeof value === "string" && (where === "a column" || where === "a new row");
      if (answer !== undefined && isText) expect(answer.rows[0]?.["value"]).toBe(value);
    }
    expect(ran).toBeGreaterThan(5);
    expect(await state()).toEqual({ users: 4, tables: 2 });
  });
});

describe("rows", () => {
  test("rows become JSON by the types of their columns", async () => {
    const { rows } = await run(
      `SELECT 1::int2 AS a, 9007199254740993 AS b, 1.50 AS c, '2024-03-01 12:00:00.5'::timestamp AS d, date '2024-03-01' AS e,
        '\\x00ff'::bytea AS f, ARRAY[1, NULL] AS g, '{"a": [1]}'::jsonb AS h, interval '1 day 2 hours' AS i, 'NaN'::float8 AS j,
        NULL::int AS k, true AS l, ARRAY['a"b', NULL, 'c\\d'] AS m, 0.1::float8 AS n, time '12:00' AS o, 'x'::"char" AS "__proto__"`,
      [],
      { class: "READ_ONLY" },
    );
    expect(JSON.stringify(rows)).toBe(
      JSON.stringify([
        {
          a: 1, b: "9007199254740993", c: "1.50", d: "2024-03-01T12:00:00.5", e: "2024-03-01", f: "AP8=", g: [1, null], h: { a: [1] }, i: "P1DT2H", j: "NaN",
          k: null, l: true, m: ['a"b', null, "c\\d"], n: 0.1, o: "12:00:00", ["__proto__"]: "x",
        },
      ]), // prettier-ignore
    );
  });

  test.each([
    ["SELECT n FROM generate_series(1, 10) n", "READ_ONLY", { rows: [{ n: 1 }, { n: 2 }], rowCount: 2, truncated: true }],
    ["SELECT n FROM generate_series(1, 2) n", "READ_ONLY", { rows: [{ n: 1 }, { n: 2 }], rowCount: 2 }],
    ["VALUES (1) -- end", "READ_ONLY", { rows: [{ column1: 1 }], rowCount: 1 }],
    ["SHOW bytea_output", "READ_ONLY", { rows: [{ bytea_output: "hex" }], rowCount: 1 }],
    ["INSERT INTO numbers VALUES (1), (2), (3), (4) RETURNING n", "UNSAFE", { rows: [{ n: 1 }, { n: 2 }], rowCount: 4, truncated: true }],
    ["WITH gone AS (DELETE FROM numbers RETURNING n) SELECT count(*)::int AS n FROM gone", "UNSAFE", { rows: [{ n: 4 }], rowCount: 1 }],
    ["UPDATE users SET plan = plan", "WRITE_EXCLUSIVE", { rows: [], rowCount: 4 }],
  ] as const)("no more than are asked for: %s", async (text, of, answer) => {
    await pool.query("CREATE TABLE IF NOT EXISTS numbers (n int)");
    expect(await run(text, [], { class: of, maxRows: 2 })).toEqual(answer);
  }); // prettier-ignore

  test("rows keep their form when the type of a column changes", async () => {
    await pool.query("CREATE TABLE changing AS SELECT 1 AS value");
    const read = (): Promise<SqlAnswer> => run("SELECT value FROM changing", [], { class: "READ_ONLY" });
    const change = (): Promise<SqlAnswer> => run("UPDATE changing SET value = value RETURNING value");
    expect([(await read()).rows, (await change()).rows]).toEqual([[{ value: 1 }], [{ value: 1 }]]);
    await pool.query("ALTER TABLE changing ALTER value TYPE interval USING interval '1 day 2 hours'");
    expect([(await read()).rows, (await change()).rows]).toEqual([[{ value: "P1DT2H" }], [{ value: "P1DT2H" }]]);
  });

  test("the model hears of rows that are left out", async () => {
    const execute = sqlHandler<object, unknown>(database, { text: "SELECT 1 AS n UNION SELECT 2", maxRows: 1 });
    const { content } = await execute({}, { class: "READ_ONLY", signal: never } as ExecutionOptions<unknown>);
    expect(content).toContainEqual({ type: "text", text: expect.stringMatching(/^The first 1 rows; more exist/u) });
  });

  test("the number of rows stays bounded whatever the limit", async () => {
    const large = run("SELECT repeat('x', 1000000) AS text FROM generate_series(1, 100)", [], { class: "READ_ONLY" });
    await expect(large).rejects.toThrow(/more than 33554432 characters/u);
  });
});

describe("a read", () => {
  test.each([
    "DELETE FROM users",
    "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
    "SELECT 1; DELETE FROM users",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "COPY users FROM STDIN",
    "COPY users TO STDOUT",
    "",
  ])("refuses %j; nothing happened", async (text) => {
    await expect(run(text, [], { class: "READ_ONLY" })).rejects.toMatchObject({ code: "not-executed" });
    await expect(run(text, [], { readOnly: true })).rejects.toMatchObject({ code: "not-executed" });
    expect((await run("SELECT count(*)::int AS n FROM users")).rows).toEqual([{ n: 4 }]);
  });

  test.each(["SET search_path = pg_catalog", "SELECT set_config('search_path', 'pg_catalog', false)"])(
    "leaves nothing on a connection: %s",
    async (text) => {
      await run(text, [], { class: "READ_ONLY" });
      for (let times = 0; times < 4; times += 1) {
        expect((await run("SHOW search_path")).rows).toEqual([{ search_path: '"$user", public' }]);
      }
    },
  );
});

describe("a lock of the session", () => {
  const locks = async (): Promise<unknown> => {
    const { rows } = await bare.query("SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'");
    return rows[0].n;
  };
  beforeAll(async () => {
    await pool.query(
      "CREATE FUNCTION wipe(u users) RETURNS text LANGUAGE sql AS 'SELECT pg_advisory_lock(u.id)::text'",
    );
    await pool.query("CREATE FUNCTION hold() RETURNS text LANGUAGE sql AS 'SELECT pg_advisory_lock(7)::text'");
    await pool.query("CREATE VIEW held AS SELECT hold() AS a FROM generate_series(1, 3)");
    await pool.query(
      "CREATE FUNCTION hold(int, int) RETURNS text LANGUAGE sql AS 'SELECT pg_advisory_lock($1 + $2)::text'",
    );
    await pool.query("CREATE OPERATOR ### (FUNCTION = hold, LEFTARG = int, RIGHTARG = int)");
    await pool.query("CREATE FUNCTION pg_advisory_unlock_all() RETURNS void LANGUAGE sql AS ''");
    await pool.query(
      "CREATE FUNCTION shadow() RETURNS text LANGUAGE sql AS $$ SELECT set_config('search_path', 'public, pg_catalog', true) $$",
    );
  });
  afterAll(() =>
    pool.query("DROP FUNCTION wipe, hold(), hold(int, int), shadow, public.pg_advisory_unlock_all CASCADE"),
  );

  test.each([
    ["SELECT u.wipe FROM users u", "READ_ONLY"],
    ["SELECT hold(), 1 / (id - id) FROM users", "READ_ONLY"],
    ["SELECT hold(), 1 / (id - id) FROM users", "UNSAFE"],
    ["SELECT hold()", "UNSAFE"],
    ["SELECT a FROM held", "READ_ONLY"],
    ["SELECT a FROM held", "UNSAFE"],
    ["SELECT 1 ### 2 AS a", "READ_ONLY"],
    ["SELECT shadow(), hold()", "READ_ONLY"],
    ["SELECT pg_advisory_lock(1)", "UNSAFE"],
  ] as const)(
    "ends with the call, also where a column, a function, a view or an operator takes it: %s as %s",
    async (text, of) => {
      const one = new Pool({ connectionString: server.urls.application, max: 1 });
      const plainPool = { connect: async () => { const client = await one.connect(); return { query: client.query.bind(client), release: (end?: boolean) => client.release(end) }; } }; // prettier-ignore
      for (const client of [one, plainPool]) {
        const on = sqlConnection({ name: "one", client: () => client as never });
        await run(text, [], { on, class: of }).catch((error: { readonly code?: unknown }) => {
          expect(error.code).toBe("not-executed");
        });
        await expect.poll(locks).toBe(0);
      }
      await one.end();
    },
  );

  test("stays on the client of the host", async () => {
    const host = new Client({ connectionString: server.urls.application });
    await host.connect();
    await host.query("SELECT pg_advisory_lock(9)");
    await run("SELECT 1 AS a", [], { on: sqlConnection({ name: "host", client: () => host }), class: "READ_ONLY" });
    expect(await locks()).toBe(1);
    await host.end();
    await expect.poll(locks).toBe(0);
  });
});

test.each(["SET statement_timeout = 1234", "SELECT set_config('search_path', 'pg_catalog', false)", "LISTEN x"])(
  "the pool closes a connection on which a statement left something: %s",
  async (text) => {
    const one = new Pool({ connectionString: server.urls.application, max: 1 });
    const on = sqlConnection({ name: "one", client: () => one });
    const backend = async (): Promise<unknown> => (await run("SELECT pg_backend_pid() AS id", [], { on })).rows[0]?.["id"];
    const first = await backend();
    expect(await backend()).toBe(first);
    await run(text, [], { on });
    expect(await backend()).not.toBe(first);
    await one.end();
  },
); // prettier-ignore

describe("two columns of one name", () => {
  test("two columns of one name are an error, not a lost value", async () => {
    const both = run("SELECT 1 AS n, 2 AS n", [], { class: "READ_ONLY" });
    await expect(both).rejects.toThrow(/two columns named "n"; give one an alias/u);
  });
});

describe("errors say what happened", () => {
  test.each([
    ["SELEC 1", "42601", false],
    ["SELECT * FROM no_such_table", "42P01", false],
    ["INSERT INTO users VALUES (1, 'a', 'b', now())", "23505", false],
    ["SELECT * FROM pg_authid", "42501", false],
    ["SELECT 1 / 0", "22012", false],
    ["DO $$ BEGIN RAISE SQLSTATE '40001'; END $$", "40001", true],
    ["DO $$ BEGIN RAISE SQLSTATE '57P01'; END $$", "57P01", true],
  ])("%s kept nothing", async (text, state, retryable) => {
    for (const on of [database, plain]) {
      const failed = run(text, [], { on });
      await expect(failed).rejects.toMatchObject({ code: "not-executed", message: expect.stringContaining(state), retryable });
    }
  }); // prettier-ignore

  test("a constraint that fails at commit kept nothing", async () => {
    await pool.query("CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    for (const on of [database, plain]) {
      const twice = run("INSERT INTO late VALUES (1), (1)", [], { on });
      await expect(twice).rejects.toMatchObject({ code: "not-executed", message: expect.stringContaining("23505") });
    }
  });

  test.each([
    ["ECONNREFUSED", "postgres://nobody:s3cr3t@127.0.0.1:9/none", /cannot reach the database \(ECONNREFUSED\)/],
    ["a wrong password", "", /is not allowed to log in to the database \(28P01\)/],
    ["no URL", "s3cr3t", /cannot|no connection|URL/],
  ])("%s: nothing was run, and no secret is told", async (_what, url, message) => {
    process.env["HASP_TEST_URL"] = url === "" ? server.urls.application.replace(/:[^:@]+@/u, ":s3cr3t@") : url;
    const on = sqlConnection({ name: "own", url: { env: "HASP_TEST_URL" } });
    const failed = await run("SELECT 1 AS n", [], { on }).catch((error: unknown) => error as Error);
    expect(failed).toMatchObject({ code: "not-executed", message: expect.stringMatching(message) });
    expect(JSON.stringify([(failed as Error).message, (failed as Error).cause])).not.toContain("s3cr3t");
    await on.close();
  });

  test("a connection by its URL works, and says which variable is missing", async () => {
    process.env["HASP_TEST_URL"] = server.urls.application;
    const on = sqlConnection({ name: "own", url: { env: "HASP_TEST_URL" } });
    expect((await run("SELECT 1 AS n", [], { on })).rows).toEqual([{ n: 1 }]);
    await on.close();
    const missing = sqlConnection({ name: "own", url: { env: "HASP_TEST_NONE" } });
    await expect(run("SELECT 1", [], { on: missing })).rejects.toThrow(/HASP_TEST_NONE, which is not set/u);
    process.env["HASP_TEST_URL"] = "localhost";
    const bare = sqlConnection({ name: "own", url: { env: "HASP_TEST_URL" } });
    await expect(run("SELECT 1", [], { on: bare })).rejects.toThrow(
      /cannot read the URL in HASP_TEST_URL; it must be/u,
    );
  });

  test.each([[undefined], [null], [7], [{}], ["db"]])("a context whose member is %j", async (member) => {
    const on = sqlConnection({ name: "app-db", client: () => member as never });
    await expect(run("SELECT 1", [], { on })).rejects.toMatchObject({ code: "not-executed" });
  });
});

describe("a statement that takes too long", () => {
  test("ends at its time limit, inside the database", async () => {
    const slow = run("SELECT pg_sleep(30)", [], { timeoutSeconds: 0.3 });
    await expect(slow).rejects.toMatchObject({ code: "not-executed", message: expect.stringContaining("57014") });
  });

  test.each([1, 4])("is cancelled in the database when the call is stopped, with a pool of %i", async (max) => {
    const small = new Pool({ connectionString: server.urls.application, max });
    const on = sqlConnection({ name: "small", client: () => small });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 100);
    const started = performance.now();
    const text = "INSERT INTO users SELECT 9, 'late', pg_sleep(30)::text, now()";
    await expect(run(text, [], { on, signal: stop.signal })).rejects.toMatchObject({ code: "not-executed" });
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await run("SELECT count(*)::int AS n FROM users", [], { on })).rows).toEqual([{ n: 4 }]);
    await small.end();
  });

  test("waits for its turn no longer than the call lasts", async () => {
    const one = new Pool({ connectionString: server.urls.application, max: 1 });
    const on = sqlConnection({ name: "one", client: () => one });
    const held = await one.connect();
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 50);
    await expect(run("SELECT 1", [], { on, signal: stop.signal })).rejects.toMatchObject({ code: "not-executed" });
    held.release();
    expect((await run("SELECT 1 AS n", [], { on })).rows).toEqual([{ n: 1 }]);
    await one.end();
  });
});

describe("a single client", () => {
  test("runs one call at a time", async () => {
    const on = sqlConnection({ name: "single", client: () => bare });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_call, n) => run("SELECT $1::int AS n, pg_sleep(0.002)::text AS _", [n], { on })),
    );
    expect(all.map(({ rows }) => rows[0]?.["n"])).toEqual(Array.from({ length: 20 }, (_call, n) => n));
  });

  test("inside a transaction of the host is left alone", async () => {
    await bare.query("BEGIN");
    await bare.query("CREATE TEMPORARY TABLE own (n int)");
    for (const on of [plain, sqlConnection({ name: "single", client: () => bare })]) {
      await expect(run("SELECT 1", [], { on })).rejects.toThrow(/inside a transaction of the host/u);
    }
    expect((await bare.query("SELECT count(*)::int AS n FROM own")).rows).toEqual([{ n: 0 }]);
    await bare.query("ROLLBACK");
  });
});

describe("a server that is none", () => {
  /** Answers nothing, or garbage, or ends after the login. */
  async function withServer(serve: (socket: Socket) => void, use: (url: string) => Promise<void>): Promise<void> {
    const sockets = new Set<Socket>();
    const listening = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined));
      serve(socket);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => listening.once("listening", resolve));
    await use(`postgres://a:s3cr3t@127.0.0.1:${(listening.address() as AddressInfo).port}/a`);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listening.close(resolve));
  }
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const failing = (serve: (socket: Socket) => void, of: "READ_ONLY" | "UNSAFE"): Promise<unknown> =>
    new Promise((resolve, reject) => {
      withServer(serve, async (url) => {
        const broken = new Pool({ connectionString: url, connectionTimeoutMillis: 300 });
        broken.on("error", () => undefined);
        const on = sqlConnection({ name: "broken", client: () => broken });
        const signal = AbortSignal.timeout(600);
        resolve(await run("INSERT INTO a VALUES (1)", [], { on, class: of, signal }).catch((error: unknown) => error));
        void broken.end();
      }).catch(reject);
    });

  test("a server that hangs, ends or answers garbage commits nothing and tells no secret", async () => {
    const servers: ((socket: Socket) => void)[] = [
      () => undefined,
      (socket) => socket.destroy(),
      (socket) => socket.once("data", () => socket.write(ready)),
      (socket) =>
        socket.once("data", () => socket.write(ready)).once("data", () => setTimeout(() => socket.destroy(), 50)),
    ];
    const results = await Promise.all(
      servers.flatMap((serve) => [failing(serve, "UNSAFE"), failing(serve, "READ_ONLY")]),
    );
    for (const error of results) {
      expect(error).toMatchObject({ code: "not-executed" });
      expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toContain("s3cr3t");
    }
  });
});

test("tests answer in place of a database", async () => {
  const on = sqlConnection({ name: "stub", run: async (text, values) => ({ rows: [{ text, values, at: new Date(0), n: 5n }] }) });
  expect(await run("SELECT $1", ["a"], { on })).toEqual({
    rows: [{ text: "SELECT $1", values: ["a"], at: "1970-01-01T00:00:00.000Z", n: "5" }],
    rowCount: 1,
  });
  const failing = sqlConnection({ name: "stub", run: () => Promise.reject(Object.assign(new Error("twice"), { code: "23505" })) });
  await expect(run("SELECT 1", [], { on: failing })).rejects.toMatchObject({ code: "not-executed", message: "twice (23505)" });
}); // prettier-ignore
