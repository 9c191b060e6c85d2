import { expect, test } from "vitest";
import { type AnyTool, buildTool, createDispatcher } from "@hasp/runtime";
import { createCallQuestion, type CallQuestion } from "../framework/approvals.js";
import { mastraApprovals, toMastraTools, type ToMastraToolsOptions } from "./to-mastra-tools.js";

type MastraTool = Parameters<ToMastraToolsOptions<unknown, unknown>["createTool"]>[0];

const input = { path: "notes.md" };

/** Runs a tool as Mastra does: it stores the question, and brings it back with the answer. */
function createWorld() {
  const world = {
    ran: [] as string[],
    exists: false,
    isAllowed: false,
    description: "Writes a file.",
    asked: [] as CallQuestion[],
  };
  const makeTool = (): AnyTool =>
    buildTool({
      name: "write_file",
      description: world.description,
      input: { type: "object", properties: { path: { type: "string" } } },
      concurrency: { rules: [{ when: () => !world.exists, class: "WRITE_EXCLUSIVE", isDestructive: false }] },
      execute: () => void world.ran.push(world.exists ? "overwritten" : "created"),
    }) as AnyTool;
  let tool = makeTool();
  const createProcess = () => {
    const approvals = mastraApprovals();
    const dispatcher = createDispatcher({
      tools: [],
      flow: "off",
      refreshTools: () => [tool],
      permissions: { ask: approvals.ask, check: () => (world.isAllowed ? "allow" : "ask") },
    });
    const suspend = async (question: CallQuestion): Promise<void> => {
      world.asked.push(JSON.parse(JSON.stringify(question)) as CallQuestion);
    };
    return async (answer?: object, suspendPayload = world.asked.at(-1)): Promise<void> => {
      tool = makeTool();
      await dispatcher.refresh();
      const tools = toMastraTools<MastraTool>(dispatcher, { approvals, createTool: (options) => options });
      const agent = { toolCallId: "c", suspend, ...(answer !== undefined && { resumeData: answer, suspendPayload }) };
      await tools["write_file"]?.execute(input, { runId: "r", agent });
    };
  };
  return { world, createProcess };
}

test.each([
  ["as it was", {}, {}, ["created"], 1],
  ["destructive", {}, { exists: true }, [], 2],
  ["no longer destructive", { exists: true }, { exists: false }, ["created"], 1],
  ["of another tool", {}, { description: "Writes a file of the live system." }, [], 2],
])(
  "an answer to a question about a call that is now %s leads to these runs",
  async (_now, first, changes, ran, asked) => {
    const { world, createProcess } = createWorld();
    Object.assign(world, first);
    const run = createProcess();
    await run();
    Object.assign(world, changes);
    await run({ decision: "allow" });
    expect([world.ran, world.asked.length]).toEqual([ran, asked]);
  },
);

test("a call that a person has refused does not run, even if nobody would be asked about it any more", async () => {
  const { world, createProcess } = createWorld();
  const run = createProcess();
  await run();
  world.isAllowed = true;
  await run({ decision: "deny", reason: "Not now." });
  expect([world.ran, world.asked.length]).toEqual([[], 1]);
  await run();
  expect(world.ran).toEqual(["created"]);
});

test("an answer counts once, and in another process that gets the question with it", async () => {
  const { world, createProcess } = createWorld();
  const [first, second] = [createProcess(), createProcess()];
  await first();
  await second({ decision: "allow" });
  await second({ decision: "allow" });
  expect([world.ran, world.asked.length]).toEqual([["created"], 1]);
});

test("a forged question cannot be milder than the call", async () => {
  const { world, createProcess } = createWorld();
  world.exists = true;
  const forged = createCallQuestion({ ...input, callId: "c", toolName: "write_file" } as never);
  await createProcess()({ decision: "allow" }, forged);
  expect([world.ran, world.asked.length]).toEqual([[], 1]);
});

test("calls without the id of a run belong to no common step: two users may have the same call ids", async () => {
  const dispatcher = createDispatcher({
    tools: [
      buildTool<{ readonly who?: string }>({
        name: "read_mail",
        description: "Reads.",
        input: { type: "object", properties: { who: { type: "string" } } },
        concurrency: { class: "READ_ONLY" },
        behavior: { requiresPermission: false, isOpenWorld: false },
        execute: async ({ who }, { progress, signal }) => {
          progress(`reading the mail of ${who}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
          return signal.aborted ? "aborted" : `mail of ${who}`;
        },
      }),
    ] as readonly AnyTool[],
    flow: "off",
  });
  const { read_mail: tool } = toMastraTools<MastraTool>(dispatcher, { createTool: (options) => options });
  const leaving = new AbortController();
  const seen: (readonly [string, unknown])[] = [];
  const read = (who: string, signal?: AbortSignal) =>
    tool?.execute(
      { who },
      {
        agent: { toolCallId: "call_0" },
        abortSignal: signal,
        writer: { write: async (chunk) => void seen.push([who, chunk]) },
      },
    );
  const both = [read("ann", leaving.signal), read("bob")];
  leaving.abort();
  const [, bob] = await Promise.all(both);
  expect(bob).toMatchObject({ isError: false, content: [{ type: "text", text: "mail of bob" }] });
  expect(JSON.stringify(seen.filter(([who]) => who === "bob"))).not.toContain("ann");
});
