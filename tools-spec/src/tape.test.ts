import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDispatcher, type DispatcherExtension, type ToolCall } from "@hasp/runtime";
import { recordTape, replayTape } from "@hasp/testing";
import { expect, test } from "vitest";
import type { AgentContext } from "./context.js";
import { registry } from "./generated/registry.js";
import { openWorkspace } from "./services/workspace.js";

/** Recorded by this test with UPDATE=1. */
const tape = resolve(import.meta.dirname, "../tapes/notes.jsonl");

const turns: readonly (readonly ToolCall[])[] = [
  [
    {
      id: "1",
      name: "write_file",
      input: { path: "notes/doors.md", text: "# Doors\nA hasp keeps a door shut.\n", mode: "create" },
    },
  ],
  [
    { id: "2", name: "read_file", input: { path: "notes/doors.md" } },
    { id: "3", name: "search_files", input: { text: "hasp" } },
    { id: "4", name: "read_file", input: { path: "notes/none.md" } },
  ],
];

async function run(player: DispatcherExtension): Promise<readonly unknown[]> {
  // Checks of the input look at the workspace, which is empty.
  const folder = await mkdtemp(join(tmpdir(), "hasp-tape-"));
  const context = { workspace: await openWorkspace(folder) } as AgentContext;
  const dispatcher = createDispatcher({
    tools: registry.pick(["read_file", "search_files", "write_file"]),
    permissions: { rules: [{ tool: "write_file", decision: "allow", reason: "a test" }] },
    extensions: [player],
  });
  const outcomes: unknown[] = [];
  for (const calls of turns) {
    const results = await dispatcher.dispatch(calls, { context });
    outcomes.push(...results.map(({ output, error }) => output ?? error?.message));
  }
  const written = await readdir(folder);
  await rm(folder, { recursive: true });
  return [...outcomes, written];
}

if (process.env["UPDATE"] === "1") await run(recordTape(tape));

test("the tape of the worked example answers, and writes no file", async () => {
  expect(await run(replayTape(tape))).toEqual([
    { path: "notes/doors.md", bytes: 34, created: true },
    { path: "notes/doors.md", text: "# Doors\nA hasp keeps a door shut.\n" },
    { matches: [{ path: "notes/doors.md", line: 2, text: "A hasp keeps a door shut." }], total: 1 },
    "read_file failed: there is no such file",
    [],
  ]);
});
