import { expect, test } from "vitest";
import { buildTool, createDispatcher, type GuardHook, type ToolResult } from "@hasp/runtime";
import { commandHook } from "./command-hook.js";

const program = (code: string): string[] => ["-e", code];

/** A tool that reads, runs unasked and takes any object. */
const tool = buildTool<Record<string, unknown>>({
  name: "t",
  description: "Reads t.",
  input: { type: "object", additionalProperties: true },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false, isOpenWorld: false },
  execute: () => "ok",
});

/** Dispatches one call of the tool under a guard hook. */
async function dispatch(guard: GuardHook, input: object = {}): Promise<ToolResult | undefined> {
  const [result] = await createDispatcher({ tools: [tool], hooks: { guard } }).dispatch([
    { id: "1", name: "t", input },
  ]);
  return result;
}

test.each<[string, string, string]>([
  ["prints nothing", "", "ok"],
  ["denies", `console.log(JSON.stringify({ decision: "deny", reason: "no" }))`, "denied"],
  ["asks where nobody is", `console.log(JSON.stringify({ decision: "ask", reason: "sure?" }))`, "no-one-to-ask"],
  [
    "blocks by the input",
    `process.stdin.on("data", (line) => console.log(JSON.stringify({ block: JSON.parse(line).input.path })))`,
    "blocked",
  ],
  ["prints no JSON", `console.log("fine")`, "hook-failed"],
  ["prints what no guard answers", `console.log(JSON.stringify({ allow: true }))`, "hook-failed"],
  ["fails", "process.exit(3)", "hook-failed"],
  ["prints megabytes", `process.stdout.write("x".repeat(5_000_000))`, "hook-failed"],
  ["hangs", "setInterval(() => undefined, 1000)", "hook-failed"],
  ["prints for ever", `const go = () => process.stdout.write("x".repeat(100), go); go()`, "hook-failed"],
  [
    "forks and ends",
    `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "inherit" }).unref(); process.exit(0)`,
    "ok",
  ],
])("a hook denies the call if its command %s", async (_name, code, expected) => {
  const guard = commandHook({ command: process.execPath, args: program(code), timeoutSeconds: 1.5 });
  const started = Date.now();
  const result = await dispatch(guard, { path: "/" });
  expect(result?.error?.code ?? "ok").toBe(expected);
  expect(Date.now() - started).toBeLessThan(10_000);
});

test("a missing command fails the call", async () => {
  const guard = commandHook({ command: "/no/such/program" });
  const result = await dispatch(guard);
  expect(result?.error).toMatchObject({ phase: "guard", code: "hook-failed", effect: "none" });
});

test.each([Infinity, 1e9])("a wall time of %d s does not end the command early", async (timeoutSeconds) => {
  const guard = commandHook({ command: process.execPath, args: program(""), timeoutSeconds });
  const result = await dispatch(guard);
  expect(result?.error).toBeUndefined();
});
