import { compile, type Diagnostic } from "hasp";
import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";

/** A declaration with a claim: the keys of `handler`, and the lines of the spec that claim something. */
type Case = readonly [handler: object, claim: string];

const READS = "concurrency: { class: READ_ONLY }";
const HARMLESS = "behavior: { isDestructive: false }";
const REPEATABLE = "behavior: { isIdempotent: true }";
const ROW = "concurrency: { rules: [{ when: input.preview, class: READ_ONLY }] }";
const HARMLESS_ROW = "concurrency: { rules: [{ when: input.preview, class: UNSAFE, isDestructive: false }] }";
const UNLESS = "behavior: { isReadOnly: { unless: \"input.name == 'x'\" } }";

const sql = (statement: string, claim: string = READS): Case => [{ sql: { connection: "db", statement } }, claim];
const http = (method: string, claim: string = READS, more: object = {}): Case => [
  { http: { connection: "api", method, path: "/orders/{name}", ...more } },
  claim,
];
const command = (line: string, claim: string = READS): Case => [{ command: { argv: line.split(" ") } }, claim];

const LIES: readonly Case[] = [
  sql("DELETE FROM orders WHERE id = $name"),
  sql("DELETE FROM orders", HARMLESS),
  sql("DELETE FROM orders", ROW),
  sql("DELETE FROM orders", HARMLESS_ROW),
  sql("DELETE FROM orders", UNLESS),
  sql("UPDATE orders SET state = $name", HARMLESS),
  sql("UPDATE stock SET count = count - 1", REPEATABLE),
  sql("UPDATE stock SET count = 0", "behavior: { isReadOnly: true }"),
  sql("INSERT INTO orders (name) VALUES ($name)", REPEATABLE),
  sql("INSERT INTO orders (name) VALUES ($name)", "behavior: { isIdempotent: withKey }"),
  sql("INSERT INTO orders (name) VALUES ($name) ON CONFLICT (name) DO UPDATE SET name = $name", HARMLESS),
  sql("WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone"),
  sql("WITH gone AS (\n  DELETE FROM orders RETURNING *\n)\nSELECT * FROM gone\n", HARMLESS),
  sql("WITH a AS (SELECT 1), b AS (INSERT INTO log VALUES (1) RETURNING 1) SELECT * FROM a, b"),
  sql("WITH a AS (UPDATE orders SET state = 'x' RETURNING id) SELECT count(*) FROM a", ROW),
  sql("MERGE INTO orders USING news ON orders.id = news.id WHEN MATCHED THEN DELETE", HARMLESS),
  sql("SELECT * FROM orders WHERE id = $name FOR UPDATE"),
  sql("SELECT * FROM orders FOR SHARE"),
  sql("SELECT * INTO copies FROM orders"),
  sql("SELECT nextval('orders_id_seq')"),
  sql("SELECT setval('orders_id_seq', 1)", ROW),
  sql("SELECT pg_sleep(60)"),
  sql("SELECT * FROM dblink('host=x', 'DELETE FROM orders') AS t(id int)"),
  sql("SELECT lo_unlink(1)"),
  sql("SELECT pg_read_file('/etc/passwd')"),
  sql("SELECT set_config('role', 'admin', false)"),
  sql("SELECT query_to_xml('DELETE FROM orders', true, true, '')"),
  sql("SELECT app.close_order($name)"),
  sql("SELECT name FROM orders WHERE close_order(id)"),
  sql("SELECT * FROM close_orders()"),
  sql("SELECT name::app.checked_name FROM orders"),
  sql("SELECT id FROM orders WHERE name <=> $name"),
  sql("EXPLAIN ANALYZE DELETE FROM orders"),
  sql("COPY orders TO '/tmp/orders'"),
  sql("CALL close_orders()"),
  sql("DO $$ BEGIN DELETE FROM orders; END $$"),
  sql("TRUNCATE orders", HARMLESS),
  sql("DROP TABLE orders"),
  sql("SET ROLE admin"),
  sql("SELECT 1; DELETE FROM orders"),
  sql("SELECT * FROM orders WHERE name = '$name"),
  sql("REFRESH MATERIALIZED VIEW totals"),
  http("POST"),
  http("POST", REPEATABLE),
  http("POST", ROW),
  http("PUT"),
  http("PATCH", UNLESS),
  http("DELETE"),
  http("DELETE", HARMLESS),
  http("GET", READS, { body: { json: "input.name" } }),
  http("GET", READS, { headers: { "X-HTTP-Method-Override": { literal: "DELETE" } } }),
  http("GET", ROW, { query: { _method: "input.name" } }),
  command("git push origin {name}"),
  command("git push --force origin {name}", HARMLESS),
  command("git commit -m {name}", UNLESS),
  command("git {name}"),
  command("git clean -fd", HARMLESS),
  command("rm -rf -- {name}"),
  command("sudo rm {name}", HARMLESS_ROW),
  command("curl -X POST https://example.com/{name}"),
  command("curl -d {name} https://example.com", ROW),
  command("find . -name {name} -delete"),
  command("sed -i s/a/b/ {name}"),
  command("bash -c {name}"),
  command("kubectl delete pod {name}", HARMLESS),
  command("docker run {name}"),
];

const HONEST: readonly Case[] = [
  sql("SELECT id, state FROM orders WHERE name = $name ORDER BY id LIMIT 10"),
  sql("SELECT count(*) FROM orders", ROW),
  sql("VALUES (1), (2)"),
  sql("SHOW work_mem"),
  sql("EXPLAIN DELETE FROM orders"),
  sql("WITH recent AS (SELECT * FROM orders WHERE at > now() - interval '1 day') SELECT * FROM recent"),
  sql("SELECT lower(name), coalesce(state, 'open'), extract(year FROM at) FROM orders"),
  sql("SELECT id FROM orders WHERE state = $name::app.order_state AND kind <> 'x'::order_kind"),
  sql("SELECT * FROM generate_series(1, 3) AS n"),
  sql("SELECT id FROM orders WHERE tags @> $name::jsonb AND name ILIKE $name"),
  sql("SELECT row_number() OVER (PARTITION BY state ORDER BY id) FROM orders"),
  sql("SELECT 'DELETE FROM orders; -- $name' AS text, $$ FOR UPDATE $$ AS more FROM orders WHERE name = $name"),
  sql("SELECT id FROM orders /* FOR UPDATE */ WHERE name = $name -- nextval('x')"),
  sql("SELECT * FROM orders", "behavior: { isReadOnly: true, isDestructive: false, isIdempotent: true }"),
  sql("DELETE FROM orders WHERE name = $name", "concurrency: { class: WRITE_EXCLUSIVE }"),
  sql("DELETE FROM orders WHERE name = $name", REPEATABLE),
  sql("UPDATE orders SET state = $name", REPEATABLE),
  sql("INSERT INTO orders (name) VALUES ($name)", HARMLESS),
  sql("INSERT INTO orders (name) VALUES ($name) ON CONFLICT DO NOTHING", REPEATABLE),
  sql("SELECT nextval('orders_id_seq')", HARMLESS),
  sql("DELETE FROM orders", "behavior: { requiresPermission: false }"),
  http("GET"),
  http("GET", ROW, { query: ["preview"] }),
  http("HEAD", UNLESS),
  http("OPTIONS"),
  http("GET", "behavior: { isReadOnly: true }", { headers: { Accept: { literal: "text/csv" } } }),
  http("PUT", REPEATABLE),
  http("DELETE", REPEATABLE),
  http("POST", "behavior: { isIdempotent: withKey }"),
  http("POST", HARMLESS),
  http("PATCH", "concurrency: { class: WRITE_EXCLUSIVE }"),
  command("git log --max-count=5 -- {name}"),
  command("git -C folder diff --stat"),
  command("ls -la -- {name}"),
  command("rg --json -- {name} ."),
  command("curl -sSL https://example.com/{name}"),
  command("my-own-tool --list {name}"),
  command("git push origin {name}", REPEATABLE),
  command("mkdir -p -- {name}", HARMLESS),
  command("kubectl get pods {name}", ROW),
  [{ mcp: { connection: "github", tool: "delete_repo" } }, READS],
  [{ mcp: { connection: "github", tool: "get_issue" } }, ROW],
];

function specOf(name: string, [handler, claim]: Case): string {
  const head = stringify({
    hasp: 1,
    name,
    description: "Handle orders.",
    input: {
      type: "object",
      required: ["name", "preview"],
      properties: { name: { type: "string", maxLength: 9 }, preview: { type: "boolean" } },
    },
    handler,
  });
  return `${head}${claim}\n`;
}

const CONNECTIONS = {
  db: { sql: { context: "db" } },
  api: { http: { baseUrl: "https://example.com" } },
  github: { mcp: { command: ["npx", "server"] } },
};

async function findingsOf(cases: readonly Case[], kind: string): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const sources = cases.map((each, index) => {
    const name = `${kind}_${index}`;
    return { uri: `specs/${name}.tool.yaml`, role: "spec" as const, text: specOf(name, each) };
  });
  const { diagnostics } = await compile(sources, { unlocked: true, connections: CONNECTIONS }, { emits: false });
  return new Map(sources.map(({ uri }) => [uri, diagnostics.filter(({ location }) => location?.uri === uri)] as const));
}

const inWords = (cases: readonly Case[]): readonly (readonly [number, string, Case])[] =>
  cases.map((each, index) => [index, `${JSON.stringify(each[0])} with ${each[1]}`, each] as const);

describe("a declaration that lies about its class is reported at the line of its claim", () => {
  let found: ReadonlyMap<string, readonly Diagnostic[]>;
  beforeAll(async () => (found = await findingsOf(LIES, "lie")));

  test("there are sixty of them", () => expect(LIES.length).toBeGreaterThanOrEqual(60));

  test.each(inWords(LIES))("the claim's line reports lie %i: %s", (index, _, [handler, claim]) => {
    const uri = `specs/lie_${index}.tool.yaml`;
    const lines = specOf(`lie_${index}`, [handler, claim]).split("\n");
    const reported = found.get(uri)?.filter(({ code }) => code === "fail-closed/claim-contradicts-handler") ?? [];
    expect(reported.length).toBeGreaterThan(0);
    for (const { severity, fixed, location, related } of reported) {
      expect([severity, fixed]).toEqual(["error", true]);
      expect(lines[(location?.range.start.line ?? 0) - 1]).toBe(claim);
      const declared = related?.[0]?.location.range.start.line ?? 0;
      expect(declared).toBeGreaterThan(lines.indexOf("handler:") + 1);
      expect(declared).toBeLessThan(location?.range.start.line ?? 0);
    }
  });
});

describe("an honest declaration is not reported", () => {
  let found: ReadonlyMap<string, readonly Diagnostic[]>;
  beforeAll(async () => (found = await findingsOf(HONEST, "honest")));

  test.each(inWords(HONEST))("no finding for declaration %i: %s", (index) => {
    const errors = found.get(`specs/honest_${index}.tool.yaml`)?.filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
  });
});
