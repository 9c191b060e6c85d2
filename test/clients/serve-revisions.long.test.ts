import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
});
afterAll(() => project.remove());
beforeEach(() => rmSync(join(project.folder, "log.txt"), { force: true }));
/** Reads the log of the handlers; the server itself logs that it has closed its context. */
const log = (): readonly string[] =>
  existsSync(join(project.folder, "log.txt"))
    ? readFileSync(join(project.folder, "log.txt"), "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "closed")
    : [];

type Mode = "legacy" | { readonly pin: string };
type Decide = (message: string, untouched: unknown) => object;

/** Version 2 of the official client, which speaks one revision only, with `hasp serve` as its child. */
async function connect(mode: Mode, decide?: Decide): Promise<Client> {
  const { CI: _ci, ...env } = process.env as Record<string, string>;
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: decide === undefined ? {} : { elicitation: {} }, versionNegotiation: { mode } },
  );
  if (decide !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const { requestedSchema } = params as unknown as {
        readonly requestedSchema: { readonly properties: { readonly decision: { readonly default: unknown } } };
      };
      return decide(params.message, { decision: requestedSchema.properties.decision.default }) as never;
    });
  }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "serve"],
      cwd: project.folder,
      env,
      stderr: "ignore",
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

const revisions: readonly (readonly [revision: string, mode: Mode])[] = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
];

describe.each(revisions)("a client of %s", (revision, mode) => {
  test("finds the project's name, lists, calls, hears progress, and cancels", async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: expect.stringMatching(/^hasp-serve-/u), version: "0.0.0" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["look", "note", "wait"]);
    expect(await client.callTool({ name: "look", arguments: { id: "a", times: "2" } })).toMatchObject({
      structuredContent: { seen: "aa" },
      isError: false,
    });
    const heard: unknown[] = [];
    await client.callTool(
      { name: "wait", arguments: { id: "heard.txt" } },
      {
        onprogress: (progress) => {
          heard.push(progress);
          project.write("heard.txt", "");
        },
      },
    );
    rmSync(join(project.folder, "heard.txt"));
    expect(heard).toEqual([{ progress: 1, message: "waiting" }]);
    const stopped = new AbortController();
    const call = client.callTool(
      { name: "wait", arguments: { id: "never" } },
      { signal: stopped.signal, onprogress: () => stopped.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(log, { timeout: 20_000 }).toContain("aborted");
  });

  test("asks its user about a call that needs permission; the form as it is allows nothing", async () => {
    const questions: string[] = [];
    const answers: (object | undefined)[] = [
      { action: "accept", content: { decision: "Refuse" } },
      { action: "decline" },
      undefined,
      { action: "accept", content: { decision: "Allow once" } },
    ];
    const client = await connect(mode, (message, untouched) => {
      questions.push(message);
      return answers.shift() ?? { action: "accept", content: untouched };
    });
    const note = { name: "note", arguments: { id: "x" } };
    expect(await client.callTool(note)).toMatchObject({ isError: true });
    expect(await client.callTool(note)).toMatchObject({ isError: true });
    // The official client of 2026-07-28 does not even send it.
    expect(await client.callTool(note).catch(() => ({ isError: true }))).toMatchObject({ isError: true });
    expect(log()).toEqual([]);
    expect(await client.callTool(note)).toMatchObject({ isError: false });
    expect([questions.length, questions[0], log()]).toEqual([
      4,
      expect.stringContaining('{"id":"x","times":1}'),
      ["noted x"],
    ]);
  });

  test("a client that cannot ask hears why the call is refused", async () => {
    const client = await connect(mode);
    expect(await client.callTool({ name: "note", arguments: { id: "x" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("this client cannot ask its user") }],
    });
    expect(log()).toEqual([]);
  });
});
