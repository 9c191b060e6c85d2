import { expectTypeOf, test } from "vitest";
import type { DispatcherOptions, PermissionRule, ToolPattern } from "./dispatcher.js";

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
