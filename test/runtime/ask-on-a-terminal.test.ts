import { PassThrough } from "node:stream";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { afterEach, expect, test, vi } from "vitest";
import { askOnTerminal } from "./ask-on-a-terminal.js";

const wipe = buildTool({
  name: "wipe",
  description: "Wipe a disk.",
  input: { type: "object", required: ["disk"], properties: { disk: { type: "string" } } },
  execute: () => "wiped",
});
const dispatcher = createDispatcher({ tools: [wipe], permissions: { ask: askOnTerminal } });
const call = [{ id: "1", name: "wipe", input: { disk: "\u001b[2Ja" } }];

afterEach(() => vi.unstubAllGlobals());

/** Replaces the terminal of the process; gives what is printed. */
function terminal(isTTY: boolean, typed: string): () => string {
  let printed = "";
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdout.on("data", (text) => (printed += text));
  Object.assign(stdin, { isTTY });
  stdin.write(typed);
  vi.stubGlobal("process", { ...process, stdin, stdout });
  return () => printed;
}

test.each([
  ["y\n", false],
  ["yes\n", false],
  ["\n", true],
  ["no\n", true],
])("the answer %j is an error: %s", async (typed, isError) => {
  const printed = terminal(true, typed);
  expect(await dispatcher.dispatch(call)).toMatchObject([{ isError }]);
  expect(printed()).toContain(String.raw`Run wipe with {"disk":"\u001b[2Ja"}? It may destroy data. [y/N]`);
});

test("an input that nobody can judge is refused without a question", async () => {
  const printed = terminal(true, "y\n");
  const long = [{ id: "1", name: "wipe", input: { disk: "x".repeat(60_000) } }];
  expect(await dispatcher.dispatch(long)).toMatchObject([{ isError: true, error: { phase: "permission" } }]);
  expect(printed()).toBe("");
});

test("where nobody is, the call is refused", async () => {
  const printed = terminal(false, "y\n");
  expect(await dispatcher.dispatch(call)).toMatchObject([{ isError: true, error: { phase: "permission" } }]);
  expect(printed()).toBe("");
});
