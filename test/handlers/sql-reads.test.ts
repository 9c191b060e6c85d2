import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findSqlEffects,
  parseNamedStatement,
  loadSqlParser,
  POSTGRES_CATALOG,
  READING_STATEMENTS,
  WRITING_STATEMENTS,
} from "../../packages/handlers/src/build/sql/sql.testing.js";
import { createDatabases, type Databases } from "../ask-for.testing.js";
import { catalogModule } from "./postgres-catalog.js";

let server: Databases;
let client: Client;
beforeAll(async () => {
  await loadSqlParser();
  server = await createDatabases();
  client = new Client({ connectionString: server.urls.application });
  await client.connect();
});
afterAll(async () => {
  await client.end();
});

const CATALOG = resolve(import.meta.dirname, "../../packages/handlers/src/build/sql/postgres-catalog.ts");

test("the list of functions, operators and types is the server's own", async () => {
  const written = await catalogModule(client);
  if (process.env["UPDATE"] === "1") await writeFile(CATALOG, written);
  expect(await readFile(CATALOG, "utf8")).toBe(written);
});

/** The SQLSTATE of a change in a read-only transaction. */
const READ_ONLY = "25006";

/** The SQLSTATE that a statement ends with in a read-only transaction; `undefined` if it succeeds. */
async function readOnlyError(text: string, values?: readonly unknown[]): Promise<string | undefined> {
  await client.query("BEGIN READ ONLY");
  try {
    await client.query(text, values === undefined ? undefined : [...values]);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.query("ROLLBACK");
  }
}

const VALUES: Readonly<Record<string, unknown>> = {
  customerId: 1,
  limit: 2,
  depth: 3,
  count: 4,
  ids: [1, 2],
  rows: "[]",
  like: "a%",
  name: "Ada",
  from: 1,
  to: 3,
  day: "2024-03-01",
  since: "2024-03-01",
  n: "1",
  words: "Ada",
};

test.each(READING_STATEMENTS)("the server runs it in a read-only transaction: %s", async (statement) => {
  const { text, names } = parseNamedStatement(statement);
  expect(
    await readOnlyError(
      text,
      names.map((name) => VALUES[name]),
    ),
  ).toBeUndefined();
});

test("no function of the list writes, whatever it is given", async () => {
  const { rows } = await client.query<{ call: string; name: string }>(`
    SELECT proname AS name, format('SELECT %s.%I(%s)', 'pg_catalog', proname, (
      SELECT string_agg(CASE
        WHEN t.typname IN ('text', 'varchar', 'bpchar', 'name') THEN format('%L::%s', 'users', t.oid::regtype)
        WHEN t.typname IN ('int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid') THEN format('1::%s', t.oid::regtype)
        WHEN t.typname = 'bool' THEN 'true'
        WHEN t.typname = 'regclass' THEN '''users''::regclass'
        WHEN t.typname = 'any' OR t.typname LIKE 'any%' THEN 'NULL'
        ELSE format('NULL::%s', t.oid::regtype) END, ', ' ORDER BY n)
      FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS a(type, n) JOIN pg_type t ON t.oid = a.type)) AS call
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' ORDER BY 1, 2`);
  const listed = rows.filter(({ name }) => POSTGRES_CATALOG.functions.has(name));
  expect(listed.length).toBeGreaterThan(1400);
  const refused: string[] = [];
  for (const { call } of listed) if ((await readOnlyError(call)) === READ_ONLY) refused.push(call);
  expect(refused).toEqual([]);
});

test("every statement that counts as a read runs in a read-only transaction", async () => {
  const harmless = fc.constantFrom("1", "lower('A')", "now()", "(SELECT max(id) FROM users)", "'1'::int", "1 + 2");
  const harmful = fc.constantFrom(
    "nextval('numbers')",
    "app_write()",
    "public.app_write()",
    "setval('numbers', 1)",
    "1::checked",
    "lo_create(0)",
    "1 <+> 1",
  );
  const value = fc.oneof({ weight: 3, arbitrary: harmless }, harmful);
  const source = fc.constantFrom(
    "users",
    "(SELECT * FROM users FOR UPDATE) u",
    "generate_series(1, 2) n",
    "app_write() w",
    "(VALUES (1)) v",
  );
  const change = fc.constantFrom(
    "SELECT 1",
    "DELETE FROM users WHERE false RETURNING 1",
    "UPDATE users SET plan = plan WHERE false RETURNING 1",
    "INSERT INTO users SELECT * FROM users WHERE false RETURNING 1",
  );
  // A word of one statement within another.
  const words = [...READING_STATEMENTS, ...WRITING_STATEMENTS.map((each) => each.statement)].map((text) =>
    text.split(/(?<=\s)|(?=[(,)])/u),
  );
  const spliced = fc
    .tuple(fc.constantFrom(...words), fc.constantFrom(...words.flat()), fc.nat(), fc.boolean())
    .map(([list, word, at, replaces]) => list.toSpliced(at % list.length, replaces ? 1 : 0, `${word} `).join(""));
  const statement = fc.oneof(
    fc
      .tuple(value, source, value, fc.constantFrom("", " FOR SHARE", " INTO TEMP t"), value)
      .map(([column, from, where, end, order]) =>
        end.includes("INTO")
          ? `SELECT ${column}${end} FROM ${from}`
          : `SELECT ${column} FROM ${from} WHERE ${where} IS NOT NULL ORDER BY ${order} + 0${end}`,
      ),
    fc.tuple(change, value).map(([part, column]) => `WITH a AS (${part}) SELECT ${column} FROM a`),
    fc.tuple(fc.constantFrom("EXPLAIN", "EXPLAIN ANALYZE"), change).map((words) => words.join(" ")),
    fc.tuple(value, change).map(([first]) => `VALUES (${first})`),
    spliced,
    fc.constantFrom(...WRITING_STATEMENTS.map((each) => each.statement)),
  );
  await client.query(`
    CREATE SEQUENCE numbers; SELECT nextval('numbers');
    CREATE FUNCTION app_write() RETURNS int LANGUAGE sql AS 'SELECT nextval(''numbers'')::int';
    CREATE DOMAIN checked AS int CHECK (app_write() > VALUE - 1000);
    CREATE FUNCTION app_add(int, int) RETURNS int LANGUAGE sql AS 'SELECT app_write()';
    CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = app_add)`);
  const seen = { reads: 0, writes: 0 };
  await fc.assert(
    fc.asyncProperty(statement, async (text) => {
      const isRead = findSqlEffects({ statement: text }).every(({ verdict }) => verdict === "reads");
      seen[isRead ? "reads" : "writes"] += 1;
      const named = parseNamedStatement(text);
      const values = named.names.map((name) => VALUES[name] ?? null);
      if (isRead) expect([text, await readOnlyError(named.text, values)]).not.toEqual([text, READ_ONLY]);
    }),
  );
  expect(seen.reads).toBeGreaterThan(10);
  expect(seen.writes).toBeGreaterThan(20);
});
