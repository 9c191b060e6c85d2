import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatcher, createPermissions, type PermissionRequest, type ToolResult } from "@hasp/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alone, type AgentContext, type AgentReply } from "../context.js";
import { registry } from "../generated/registry.js";
import { createPageIndex } from "../services/page-index.js";
import { openWorkspace, type Workspace } from "../services/workspace.js";

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-agents-"));
  workspace = await openWorkspace(folder);
  await writeFile(join(folder, "a.md"), "A hasp keeps a door shut.\n");
});
afterAll(() => rm(folder, { recursive: true }));

const names = [
  "run_agent",
  "read_file",
  "write_file",
  "update_todos",
  "enter_plan_mode",
  "exit_plan_mode",
  "web_search",
] as const;

/** Runs one call with a person who is there, and records what they are asked. */
async function run(
  name: string,
  input: object,
  context: Partial<AgentContext>,
  answer: "allow" | "deny" = "allow",
): Promise<{ readonly result: ToolResult; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const ask = ({ toolName }: PermissionRequest): "allow" | "deny" => {
    asked.push(toolName);
    return answer;
  };
  const dispatcher = createDispatcher({ tools: registry.pick(names), permissions: { ask } });
  const calls = [{ id: "c", name, input }];
  const [result] = await dispatcher.dispatch(calls, { context: { ...alone, workspace, ...context } });
  if (result === undefined) throw new Error("no result");
  return { result, asked };
}

/** Creates a model that gives these replies in turn, and records the results that it saw. */
function scripted(...replies: AgentReply[]): AgentContext["askModel"] & { readonly seen: ToolResult[][] } {
  const seen: ToolResult[][] = [];
  const askModel: AgentContext["askModel"] = ({ results }) => {
    seen.push([...results]);
    return Promise.resolve(replies.shift() ?? { calls: [{ name: "read_file", input: { path: "a.md" } }] });
  };
  return Object.assign(askModel, { seen });
}

const call = (name: string, input: object): AgentReply => ({ calls: [{ name, input }] });

describe("a sub-agent", () => {
  test("makes its calls through the parent's dispatcher, and answers", async () => {
    const askModel = scripted(call("read_file", { path: "a.md" }), { answer: "It keeps a door shut." });
    const { result, asked } = await run("run_agent", { task: "What is a hasp?" }, { askModel });
    expect(result.output).toEqual({ answer: "It keeps a door shut.", calls: 1 });
    expect(askModel.seen[1]?.[0]).toMatchObject({ callId: "c.1.0", output: { text: "A hasp keeps a door shut.\n" } });
    expect(asked).toEqual([]);
  });

  test("asks the person before a sub-agent edits, and about its calls", async () => {
    const write = call("write_file", { path: "a.md", text: "gone", mode: "replace" });
    const askModel = scripted(write, { answer: "Done." });
    const { asked, result } = await run("run_agent", { task: "Write.", kind: "edit" }, { askModel });
    expect(asked).toEqual(["run_agent", "write_file"]);
    expect(result.isError).toBe(false);
    const denied = await run("run_agent", { task: "Write.", kind: "edit" }, { askModel: scripted(write) }, "deny");
    expect(denied.result.error?.code).toBe("denied");
  });

  test("cannot call what it was not given, itself included, or go on for ever", async () => {
    for (const name of ["write_file", "run_agent", "toString"]) {
      const { result } = await run("run_agent", { task: "Go." }, { askModel: scripted(call(name, { task: "Go." })) });
      expect(result.error).toMatchObject({ effect: "none", message: expect.stringContaining("was not given") });
    }
    const { result } = await run("run_agent", { task: "Go." }, { askModel: scripted() });
    expect(result.error?.message).toContain("no answer in 20 steps");
  });
});

describe("plan mode", () => {
  test("is entered and left by the host alone", async () => {
    const permissions = createPermissions({ ask: () => "allow" });
    const wishes: string[] = [];
    let isAgreed = true;
    const context = {
      ...alone,
      workspace,
      askForMode: (mode: "plan" | "work", why: string): Promise<boolean> => {
        wishes.push(`${mode}: ${why}`);
        if (isAgreed) permissions.mode = mode === "plan" ? "plan" : "ask";
        return Promise.resolve(isAgreed);
      },
    };
    const dispatcher = createDispatcher({ tools: registry.pick(names), permissions });
    const write = { name: "write_file", input: { path: "b.md", text: "b", mode: "create" } };
    const dispatch = async (name: string, input: object): Promise<unknown[]> =>
      (
        await dispatcher.dispatch(
          [
            { id: "1", name, input },
            { id: "2", ...write },
          ],
          { context },
        )
      ).map(({ output, error }) => error?.code ?? output);
    expect(await dispatch("enter_plan_mode", { reason: "It is large." })).toEqual([{ approved: true }, "plan-mode"]);
    isAgreed = false;
    expect(await dispatch("exit_plan_mode", { plan: "1. Write." })).toEqual([{ approved: false }, "plan-mode"]);
    isAgreed = true;
    expect((await dispatch("exit_plan_mode", { plan: "2. Write." }))[1]).toMatchObject({ created: true });
    expect(wishes).toEqual(["plan: It is large.", "work: 1. Write.", "work: 2. Write."]);
  });
});

test("a to-do list goes to the host, which shows it", async () => {
  const shown: unknown[] = [];
  const items = [
    { text: "a", state: "done" },
    { text: "b", state: "active" },
  ] as const;
  const { result, asked } = await run("update_todos", { items }, { showTodos: (list) => void shown.push(list) });
  expect(result.output).toEqual({ open: 0, active: 1, done: 1 });
  expect(shown).toEqual([items]);
  expect(asked).toEqual([]);
});

test("the web is searched in the host's index, and a person allows it", async () => {
  const searchWeb = createPageIndex([
    { title: "Doors", url: "https://example.com/doors", text: "A hasp keeps a door shut." },
    { title: "Windows", url: "https://example.com/windows", text: "A window has a latch." },
  ]);
  const { result, asked } = await run("web_search", { query: "Hasp, door" }, { searchWeb });
  expect(result.output).toEqual({
    pages: [{ title: "Doors", url: "https://example.com/doors", excerpt: "A hasp keeps a door shut." }],
  });
  expect(asked).toEqual(["web_search"]);
  expect((await run("web_search", { query: "keyhole" }, { searchWeb })).result.output).toEqual({ pages: [] });
});
