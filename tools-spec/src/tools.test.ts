import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDispatcher, type ToolCall, type ToolResult } from "@hasp/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabases, type Databases } from "../../test/ask-for.testing.js";
import { alone, type AgentContext } from "./context.js";
import { appDbConnection } from "./generated/connections/app-db.js";
import { registry } from "./generated/registry.js";
import { createBackgroundTasks, type TaskOutput } from "./services/background-tasks.js";
import { openDatabase } from "./services/database.js";
import { openNetwork } from "./services/network.js";
import { openOutbox } from "./services/outbox.js";
import { openWorkspace } from "./services/workspace.js";

let folder: string;
let context: AgentContext;
let postgres: Databases;
let web: Server;
let base: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-tools-"));
  postgres = await createDatabases();
  web = createServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "http://10.0.0.1/secret" }).end();
    else if (request.url === "/page") {
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end('<h1>Doors</h1><p>A <a href="/">hasp</a>');
    } else if (request.url === "/elsewhere") response.writeHead(302, { location: "http://example.net/" }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(5000));
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  context = {
    workspace: await openWorkspace(folder),
    database: openDatabase(postgres.urls),
    tasks: createBackgroundTasks(),
    network: openNetwork({ allowPrivate: true }),
    ...alone,
    askUser: (question, choices) => Promise.resolve(`${question} ${choices?.[0] ?? ""}`),
  };
});
afterAll(async () => {
  await context.tasks.close();
  await context.database.close();
  web.close();
  await rm(folder, { recursive: true });
});

/** The variables that the tools declare as needed. */
const environment = { SMTP_URL: "smtp://127.0.0.1", DATABASE_URL: "postgres://127.0.0.1" };

/** Everything is allowed but by name, as a host must say it; the tools' own limits are what is tested. */
const dispatcher = createDispatcher({
  tools: registry,
  env: environment,
  permissions: {
    ask: () => "deny",
    rules: registry.names.map((tool) => ({
      tool,
      decision: "allow" as const,
      flow: "allow" as const,
      reason: "the test",
    })),
  },
});

async function call(name: string, input: unknown): Promise<ToolResult> {
  const calls: ToolCall[] = [{ id: "c", name, input }];
  const [result] = await dispatcher.dispatch(calls, { context });
  if (result === undefined) throw new Error("no result");
  return result;
}

describe("files", () => {
  test("written, found, read and deleted", async () => {
    expect(await call("write_file", { path: "src/a.ts", text: "one\nTwo\nthree\n", mode: "create" })).toMatchObject({
      isError: false,
      output: { path: "src/a.ts", bytes: 14, created: true },
    });
    expect((await call("search_files", { text: "two", ignoreCase: true })).output).toEqual({
      matches: [{ path: "src/a.ts", line: 2, text: "Two" }],
      total: 1,
    });
    expect((await call("read_file", { path: "src/a.ts", lines: { first: 2, last: 3 } })).output).toEqual({
      path: "src/a.ts",
      text: "Two\nthree",
    });
    expect((await call("delete_file", { path: "src/a.ts" })).isError).toBe(false);
    expect((await call("read_file", { path: "src/a.ts" })).error).toMatchObject({ phase: "execute", effect: "none" });
  });

  test("create never destroys, and says that nothing happened", async () => {
    await writeFile(join(folder, "kept.txt"), "kept");
    expect((await call("write_file", { path: "kept.txt", text: "gone", mode: "create" })).error).toMatchObject({
      effect: "none",
      message: expect.stringContaining("exists already"),
    });
    expect(await readFile(join(folder, "kept.txt"), "utf8")).toBe("kept");
  });

  test.each(["/etc/passwd", "../outside", "link/x"])(
    "nothing outside of the workspace is touched: %s",
    async (path) => {
      await symlink(tmpdir(), join(folder, "link")).catch(() => undefined);
      for (const [name, more] of [
        ["read_file", {}],
        ["write_file", { text: "", mode: "replace" }],
        ["delete_file", {}],
      ] as const) {
        expect((await call(name, { path, ...more })).error).toMatchObject({ phase: "semantic" });
      }
    },
  );

  test("a file of any size is searched, and read in pieces", async () => {
    const size = 8_000_000;
    const lines = Array.from({ length: size / 80 }, (_, index) => `${String(index + 1).padStart(78, ".")}\n`);
    await writeFile(join(folder, "big.log"), `${lines.join("")}needle ${"x".repeat(50_000)}`);
    expect((await call("search_files", { text: "needle", files: "big.log" })).output).toMatchObject({
      matches: [{ path: "big.log", line: size / 80 + 1, text: expect.stringMatching(/^needle x{393}$/) }],
      total: 1,
    });
    const first = (await call("read_file", { path: "big.log" })).output as { text: string; next: number };
    expect(first.text.split("\n")).toHaveLength(first.next - 1);
    const second = (await call("read_file", { path: "big.log", lines: { first: first.next, last: first.next } }))
      .output;
    expect(second).toEqual({ path: "big.log", text: String(first.next).padStart(78, ".") });
    const last = (await call("read_file", { path: "big.log", lines: { first: size / 80 + 1 } })).output;
    expect(last).toMatchObject({ text: expect.stringMatching(/^needle x{9993}… \(40007 more characters\)$/) });
  });

  test("binary files are no text, and links out of the workspace are not searched", async () => {
    await writeFile(join(folder, "binary.dat"), "secret\0");
    const outside = await mkdtemp(join(tmpdir(), "hasp-outside-"));
    await writeFile(join(outside, "key.txt"), "secret");
    await symlink(join(outside, "key.txt"), join(folder, "key.txt"));
    expect((await call("search_files", { text: "secret" })).output).toMatchObject({ total: 0 });
    expect((await call("read_file", { path: "binary.dat" })).error?.message).toMatch(/not a text file/);
    await rm(outside, { recursive: true });
  });

  test("lines are found by an expression, and one that backtracks takes no longer", async () => {
    await writeFile(join(folder, "names.txt"), `createGate(\ncreate\n${"a".repeat(9000)}!\n`);
    const files = "names.txt";
    expect((await call("search_files", { text: "create\\w+\\(", regex: true, files })).output).toMatchObject({
      matches: [{ line: 1, text: "createGate(" }],
      total: 1,
    });
    const start = performance.now();
    expect((await call("search_files", { text: "^(a+)+$", regex: true, files })).output).toMatchObject({ total: 0 });
    expect(performance.now() - start).toBeLessThan(15_000);
    for (const text of ["(a", "(a)\\1"]) {
      expect((await call("search_files", { text, regex: true, files })).error?.phase).toBe("semantic");
    }
  });

  test("files are found by name", async () => {
    await writeFile(join(folder, "one.md"), "");
    await writeFile(join(folder, "two.md"), "");
    expect((await call("glob", { pattern: "*.md", limit: 1 })).output).toEqual({ paths: ["one.md"], total: 2 });
    for (const pattern of ["../**", "a/../../**", "/**", "{..,a}/**"]) {
      expect((await call("glob", { pattern })).error).toMatchObject({ phase: "execute", effect: "none" });
      expect((await call("search_files", { text: "a", files: pattern })).error).toMatchObject({ effect: "none" });
    }
  });

  test("an edit returns the difference, and a doubtful one changes nothing", async () => {
    await writeFile(join(folder, "edit.txt"), "a\nred\nb\nred\nblue\n");
    const doubtful = await call("edit_file", { path: "edit.txt", before: "red", after: "green" });
    expect(doubtful.error).toMatchObject({ effect: "none", message: expect.stringContaining("2 times") });
    expect((await call("edit_file", { path: "edit.txt", before: "$&", after: "x" })).error).toMatchObject({
      effect: "none",
    });
    const edit = await call("edit_file", { path: "edit.txt", before: "blue", after: "$&" });
    expect(edit.output).toMatchObject({ replaced: 1, diff: expect.stringContaining("-blue\n+$&\n") });
    await call("edit_file", { path: "edit.txt", before: "red", after: "green", everywhere: true });
    expect(await readFile(join(folder, "edit.txt"), "utf8")).toBe("a\ngreen\nb\ngreen\n$&\n");
  });

  test("the root itself is no file to delete", async () => {
    for (const path of [".", "/", "./"]) expect((await call("delete_file", { path })).isError).toBe(true);
  });
});

describe("notebooks", () => {
  test("one cell changes and the rest stays", async () => {
    const notebook = {
      cells: [{ cell_type: "markdown", metadata: {}, source: ["# A"] }],
      metadata: { kernel: 1 },
      nbformat: 4,
    };
    await writeFile(join(folder, "n.ipynb"), JSON.stringify(notebook));
    // A deferred tool is found first, as a model must do it.
    expect(
      (await call("edit_notebook", { path: "n.ipynb", change: { action: "delete", cell: 0 } })).error,
    ).toMatchObject({ phase: "lookup" });
    expect((await call("tool_search", { query: "jupyter notebook" })).content[0]).toMatchObject({
      text: expect.stringContaining("edit_notebook"),
    });
    const change = { action: "insert", before: 1, kind: "code", source: "1 + 1" };
    expect(await call("edit_notebook", { path: "n.ipynb", change })).toMatchObject({ isError: false });
    const written = JSON.parse(await readFile(join(folder, "n.ipynb"), "utf8")) as {
      cells: unknown[];
      metadata: unknown;
    };
    expect(written.cells).toHaveLength(2);
    expect(written.metadata).toEqual({ kernel: 1 });
    expect((await call("edit_notebook", { path: "n.txt", change })).error).toMatchObject({ phase: "semantic" });
  });
});

describe("the database", () => {
  test("a query reads and cannot write", async () => {
    expect(
      (
        await call("query_database", {
          query: "SELECT name FROM users WHERE plan = $1 ORDER BY id",
          parameters: ["free"],
        })
      ).output,
    ).toMatchObject({
      rows: [{ name: "Grace" }, { name: "Edsger" }],
      total: 2,
    });
    for (const [name, input] of [
      ["query_database", { query: "DELETE FROM users" }],
      ["execute_sql", { query: "DELETE FROM users", mode: "read" }],
    ] as const) {
      // Refused by its first keyword, before anybody is asked.
      expect((await call(name, input)).error).toMatchObject({
        phase: "semantic",
        message: expect.stringMatching(/DELETE/),
      });
    }
    const hidden = "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone";
    expect((await call("query_database", { query: hidden })).error).toMatchObject({ phase: "execute", effect: "none" });
    expect((await call("query_database", { query: "SELECT count(*)::int AS n FROM users" })).output).toMatchObject({
      rows: [{ n: 4 }],
    });
  });

  test("a tool without code runs its statement", async () => {
    process.env["DATABASE_URL"] = postgres.urls.application;
    try {
      expect((await call("find_user", { id: 2 })).output).toMatchObject({
        rows: [{ id: 2, name: "Grace" }],
        rowCount: 1,
      });
      expect((await call("find_user", { id: 2_000_000_000 })).output).toEqual({ rows: [], rowCount: 0 });
    } finally {
      delete process.env["DATABASE_URL"];
      await appDbConnection.close();
    }
  });

  test("a broken write says that nothing happened, and a reader leaves nothing behind for it", async () => {
    await call("query_database", { query: "SELECT set_config('default_transaction_read_only', 'on', false)" });
    const broken = await call("execute_sql", {
      query: "INSERT INTO users VALUES (1, 'Ada', 'free', now())",
      mode: "write",
    });
    expect(broken.error).toMatchObject({ effect: "none", message: expect.stringContaining("23505") });
  });

  test("a write lands, by the old name too", async () => {
    expect(
      (
        await call("run_sql", {
          query: "UPDATE users SET plan = $1 WHERE id = $2",
          parameters: ["team", 2],
          mode: "write",
        })
      ).output,
    ).toMatchObject({ affected: 1 });
  });
});

describe("the shell", () => {
  test("prints, fails with its exit code, and runs in the background until it is stopped", async () => {
    expect((await call("run_shell", { command: "echo out; echo err >&2; exit 3" })).output).toEqual({
      exitCode: 3,
      printed: "out\nerr\n",
    });
    const started = (await call("run_shell", { command: "sleep 60", background: true })).output as { taskId: string };
    expect((await call("stop_task", started)).output).toEqual({ stopped: true });
    expect((await call("kill_shell", started)).output).toEqual({ stopped: false });
    expect((await call("stop_task", { taskId: "task-999" })).error).toMatchObject({ effect: "none" });
  });

  test("what a background task prints is kept and read piece by piece", async () => {
    const command = "echo one; read line < signal; echo two >&2; exit 3";
    await promisify(execFile)("mkfifo", [join(folder, "signal")]);
    const { taskId } = (await call("run_shell", { command, background: true })).output as { taskId: string };
    const look = async (from: number): Promise<TaskOutput> =>
      (await call("task_output", { taskId, from })).output as TaskOutput;
    await expect.poll(() => look(0)).toEqual({ printed: "one\n", next: 4, lost: 0, isRunning: true, exitCode: null });
    await writeFile(join(folder, "signal"), "go\n");
    await expect.poll(() => look(4)).toEqual({ printed: "two\n", next: 8, lost: 0, isRunning: false, exitCode: 3 });
    expect((await call("task_output", { taskId: "task-999" })).isError).toBe(true);
  });

  test("an abort kills the command with its children", async () => {
    const controller = new AbortController();
    const pending = dispatcher.dispatch(
      [{ id: "c", name: "run_shell", input: { command: "sleep 300 & sleep 300; echo never" } }],
      { context, signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 100);
    const [result] = await pending;
    expect(result?.error).toMatchObject({ phase: "execute", effect: "unknown" });
  });
});

describe("the network", () => {
  test("a document is fetched, up to the size that was asked for", async () => {
    expect((await call("fetch_url", { url: `${base}/`, accept: "text/plain", maxBytes: 1000 })).output).toEqual({
      status: 200,
      contentType: "text/plain",
      text: "x".repeat(1000),
      truncated: true,
    });
  });

  test("a page comes as Markdown", async () => {
    expect((await call("fetch_url", { url: `${base}/page` })).output).toMatchObject({
      text: `# Doors\n\nA [hasp](${base}/)`,
    });
  });

  test("a redirect to a host that nobody permitted is not followed", async () => {
    expect((await call("fetch_url", { url: `${base}/elsewhere` })).error).toMatchObject({
      phase: "execute",
      effect: "none",
      message: expect.stringContaining("redirects to http://example.net/. To follow it, fetch that."),
    });
  });
});

describe("messages", () => {
  test("delivers a message to a real server", async () => {
    const outbox = await openOutbox();
    process.env["SMTP_URL"] = outbox.url;
    try {
      const message = {
        to: ["ada@example.com", "grace@example.com"],
        subject: "Minutes",
        body: "Here they are.",
        headers: { "X-Meeting": "7" },
      };
      expect((await call("send_message", message)).output).toMatchObject({ accepted: message.to });
      expect(outbox.messages).toHaveLength(1);
      expect(outbox.messages[0]).toMatch(/X-Meeting: 7[\s\S]*Subject: Minutes[\s\S]*Here they are\./);
      expect((await call("send_message", { ...message, headers: { Bcc: "eve@example.com" } })).error).toMatchObject({
        phase: "schema",
      });
      expect((await call("send_message", { ...message, subject: "Hi\r\nBcc: eve@example.com" })).error).toMatchObject({
        phase: "semantic",
      });
      expect(outbox.messages).toHaveLength(1);
    } finally {
      delete process.env["SMTP_URL"];
      await outbox.close();
    }
  });

  test("reports that a message is not sent when there is no server", async () => {
    const message = { to: ["ada@example.com"], subject: "a", body: "b" };
    expect((await call("send_message", message)).error).toMatchObject({ effect: "none" });
    process.env["SMTP_URL"] = "smtp://127.0.0.1:9";
    try {
      expect((await call("send_message", message)).error).toMatchObject({ effect: "none" });
    } finally {
      delete process.env["SMTP_URL"];
    }
  });
});

describe("the user", () => {
  test("is asked when there, and never when not", async () => {
    expect((await call("ask_user", { question: "Which?", choices: ["a", "b"] })).output).toEqual({
      answer: "Which? a",
    });
    const headless = createDispatcher({ tools: registry, env: environment });
    const [result] = await headless.dispatch([{ id: "c", name: "ask_user", input: { question: "Which?" } }], {
      context,
    });
    expect(result?.error).toMatchObject({ code: "needs-interaction", effect: "none" });
  });
});

test("nothing that needs permission runs when nobody gave any", async () => {
  const strict = createDispatcher({ tools: registry, env: environment });
  const results = await strict.dispatch(
    [
      { id: "1", name: "delete_file", input: { path: "kept.txt" } },
      { id: "2", name: "run_shell", input: { command: "git status" } },
      { id: "3", name: "search_files", input: { text: "kept" } },
    ],
    { context },
  );
  expect(results.map((result) => result.error?.code)).toEqual(["no-one-to-ask", "no-one-to-ask", undefined]);
});
