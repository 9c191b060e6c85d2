import { expectTypeOf, test } from "vitest";
import { createDispatcher } from "./kernel.js";
import type { ExecutionOptions, Tool } from "../tool/definition.js";
import type { Dispatcher, DispatcherOptions } from "./state/dispatcher-types.js";
import type { PermissionRule, ToolPattern } from "./permissions/permission-types.js";
import { buildTool } from "../tool/tool.js";

type Names = "read_file" | "write_file";
type Given = NonNullable<DispatcherOptions<unknown, Names>["permissions"]>;

test("permissions are typed by the names of a registry: a misspelt tool does not compile", () => {
  expectTypeOf<"write_file">().toExtend<ToolPattern<Names>>();
  expectTypeOf<"write_*">().toExtend<ToolPattern<Names>>();
  expectTypeOf<"mcp__github__create_issue">().toExtend<ToolPattern<Names>>();
  expectTypeOf<{ server: "github"; tool: "create_issue" }>().toExtend<ToolPattern<Names>>();
  expectTypeOf<"writefile">().not.toExtend<ToolPattern<Names>>();
  expectTypeOf<{ deny: ["writefile"] }>().not.toExtend<Given>();
  expectTypeOf<{ rules: [{ tool: "write_file"; decision: "ask" }] }>().toExtend<Given>();
  expectTypeOf<{ rules: [{ tool: "writefile"; decision: "ask" }] }>().not.toExtend<Given>();
});

test("without a registry any name may stand there", () => {
  expectTypeOf<{ tool: string; decision: "allow" }>().toExtend<PermissionRule>();
  expectTypeOf<string>().toExtend<ToolPattern>();
});

test("the context of a dispatcher is what its tools need", () => {
  const input = { type: "object", properties: {} } as const;
  const plain = buildTool({ name: "plain", description: "d", input, execute: () => "ok" });
  const typed = buildTool({
    name: "typed",
    description: "d",
    input,
    execute: ({ q }: { q: string }, { context }: ExecutionOptions<{ user: string }>) => `${q} ${context.user}`,
  });
  expectTypeOf(typed).toExtend<Tool<{ q: string }, string, { user: string }>>();
  expectTypeOf(createDispatcher({ tools: [plain] })).toExtend<Dispatcher>();
  expectTypeOf(createDispatcher({ tools: [typed] })).toExtend<Dispatcher<{ user: string }>>();
  expectTypeOf(createDispatcher({ tools: [plain, typed] })).toExtend<Dispatcher<{ user: string }>>();
  const dispatcher = createDispatcher({ tools: [typed] });
  expectTypeOf(dispatcher.dispatch).parameter(1).not.toBeAny();
  // @ts-expect-error -- the handlers need a context
  expectTypeOf(() => dispatcher.dispatch([])).toBeFunction();
  // @ts-expect-error -- options without it are not enough
  expectTypeOf(() => dispatcher.openTurn({})).toBeFunction();
  expectTypeOf(() => dispatcher.dispatch([], { context: { user: "a" } })).toBeFunction();
  expectTypeOf(() => createDispatcher({ tools: [plain] }).dispatch([])).toBeFunction();
});
