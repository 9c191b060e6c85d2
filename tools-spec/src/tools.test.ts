import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatcher, type ToolCall, type ToolResult } from "@hasp/runtime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentContext } from "./context.js";
import { registry } from "./generated/registry.js";
import { createBackgroundTasks } from "./services/background-tasks.js";
import { openDatabase } from "./services/database.js";
import { publicNetwork } from "./services/network.js";
import { openWorkspace } from "./services/workspace.js";

let folder: string;
let context: AgentContext;
let web: Server;
let base: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-tools-"));
  web = createServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "http://10.0.0.1/secret" }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(5000));
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  context = {
    workspace: await openWorkspace(folder),
    database: await openDatabase(),
    tasks: createBackgroundTasks(),
    // Everything but this test's own server is judged as in production.
    network: {
      refusal: (url) => (url.href.startsWith(base) ? Promise.resolve(undefined) : publicNetwork.refusal(url)),
    },
    askUser: (question, choices) => Promise.resolve(`${question} ${choices?.[0] ?? ""}`),
  };
});
afterAll(async () => {
  await context.tasks.close();
  await context.database.close();
  web.close();
  await rm(folder, { recursive: true });
});

/** Everything is allowed but by name, as a host must say it; the tools' own limits are what is tested. */
const dispatcher = createDispatcher({
  tools: registry.tools,
  env: { SMTP_URL: "smtp://127.0.0.1" },
  permissions: {
    ask: () => "deny",
    rules: registry.names.map((tool) => ({ tool, decision: "allow" as const, reason: "the test allows it" })),
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
      lineCount: 4,
    });
    expect((await call("delete_file", { path: "src/a.ts" })).isError).toBe(false);
    expect((await call("read_file", { path: "src/a.ts" })).error).toMatchObject({ phase: "execute", effect: "none" });
  });

  test("create never destroys", async () => {
    await writeFile(join(folder, "kept.txt"), "kept");
    expect((await call("write_file", { path: "kept.txt", text: "gone", mode: "create" })).isError).toBe(true);
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
      truncated: false,
    });
    expect((await call("query_database", { query: "DELETE FROM users" })).error?.message).toMatch(/read-only/);
    expect((await call("execute_sql", { query: "DELETE FROM users", mode: "read" })).isError).toBe(true);
    expect((await call("query_database", { query: "SELECT count(*)::int AS n FROM users" })).output).toMatchObject({
      rows: [{ n: 4 }],
    });
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
    expect((await call("stop_task", { taskId: "task-999" })).isError).toBe(true);
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

  test.each([
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:10.0.0.1]/",
    "http://localhost:1/",
  ])("%s is refused", async (url) => {
    expect((await call("fetch_url", { url })).error?.message).toMatch(/private network/);
  });

  test("a redirect into the private network is refused", async () => {
    expect((await call("fetch_url", { url: `${base}/redirect` })).error?.message).toMatch(/private network/);
  });
});

describe("messages", () => {
  test("are delivered to a real server", async () => {
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, _session, done) {
        let text = "";
        stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
        stream.on("end", () => {
          received.push(text);
          done();
        });
      },
    });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    process.env["SMTP_URL"] = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    try {
      const message = {
        to: ["ada@example.com", "grace@example.com"],
        subject: "Minutes",
        body: "Here they are.",
        headers: { "X-Meeting": "7" },
      };
      expect((await call("send_message", message)).output).toMatchObject({ accepted: message.to });
      expect(received).toHaveLength(1);
      expect(received[0]).toMatch(/X-Meeting: 7[\s\S]*Subject: Minutes[\s\S]*Here they are\./);
      expect((await call("send_message", { ...message, headers: { Bcc: "eve@example.com" } })).error).toMatchObject({
        phase: "schema",
      });
      expect((await call("send_message", { ...message, subject: "Hi\r\nBcc: eve@example.com" })).error).toMatchObject({
        phase: "semantic",
      });
      expect(received).toHaveLength(1);
    } finally {
      delete process.env["SMTP_URL"];
      server.close();
    }
  });

  test("are not sent when there is no server", async () => {
    expect((await call("send_message", { to: ["ada@example.com"], subject: "a", body: "b" })).isError).toBe(true);
  });
});

describe("the user", () => {
  test("is asked when there, and never when not", async () => {
    expect((await call("ask_user", { question: "Which?", choices: ["a", "b"] })).output).toEqual({
      answer: "Which? a",
    });
    const headless = createDispatcher({ tools: registry.tools, env: { SMTP_URL: "smtp://127.0.0.1" } });
    const [result] = await headless.dispatch([{ id: "c", name: "ask_user", input: { question: "Which?" } }], {
      context,
    });
    expect(result?.error).toMatchObject({ code: "needs-interaction", effect: "none" });
  });
});

test("nothing that needs permission runs when nobody gave any", async () => {
  const strict = createDispatcher({ tools: registry.tools, env: { SMTP_URL: "smtp://127.0.0.1" } });
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
