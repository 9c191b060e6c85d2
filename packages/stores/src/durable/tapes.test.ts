import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildTool,
  createDispatcher,
  type DispatcherExtension,
  type Tool,
  type ToolDefinition,
  type ToolResult,
} from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import { recordTape, replayTape } from "@hasp/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { durableCalls, memoryCallStore } from "../index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "durable-tapes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A result without the time that it took. */
const timeless = (result: ToolResult): string => JSON.stringify({ ...result, durationMs: 0 });

const calls = ["look", "pay"].map((name, index) => ({ id: String(index + 1), name, input: {} }));

function toolThat(
  name: string,
  act: (name: string) => unknown,
  parts: Pick<ToolDefinition, "concurrency" | "behavior">,
): Tool {
  const input = { type: "object", additionalProperties: true } as const;
  return buildTool({ name, description: `The tool ${name}.`, input, ...parts, execute: () => act(name) }) as Tool;
}

function refusing(name: string): never {
  throw new Error(`${name} must not run`);
}

describe("a durable turn", () => {
  const toolsThat = (act: (name: string) => unknown): readonly Tool[] => [
    toolThat("look", act, {
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
    }),
    toolThat("pay", act, { behavior: { isDestructive: false, isOpenWorld: false } }),
  ];

  /** Runs a turn that waits for an answer, in a dispatcher before the answer and another after it. */
  async function runTurn(
    tools: readonly Tool[],
    first: DispatcherExtension,
    second: DispatcherExtension,
  ): Promise<readonly ToolResult[]> {
    const store = memoryCallStore();
    const start = (tape: DispatcherExtension): StoredTurns => {
      const durable = durableCalls({ store });
      return createDispatcher({ tools, extensions: [durable, tape] }).use(durable);
    };
    const waiting = await start(first).run(calls, { turnId: "t" });
    expect(waiting.status).toBe("waiting");
    const [question] = waiting.status === "waiting" ? waiting.questions : [];
    const after = start(second);
    await after.answer(question?.id ?? "", { decision: "allow" });
    return (await after.resume("t")).results;
  }

  test("goes on with its tape in another process, and replays without a handler", async () => {
    const file = join(folder, "turn.jsonl");
    const tools = toolsThat((name) => `${name} done`);
    const live = await runTurn(tools, recordTape(file), recordTape(file, { append: true }));
    expect(live.map(({ isError }) => isError)).toEqual([false, false]);
    expect(linesOf(file).flatMap(({ tool, order }) => (tool === undefined ? [] : [[tool, order]]))).toEqual([
      ["look", 1],
      ["pay", 2],
    ]);
    const replayed = await runTurn(toolsThat(refusing), replayTape(file), replayTape(file));
    expect(replayed.map(timeless)).toEqual(live.map(timeless));
  });
});
