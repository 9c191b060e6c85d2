// Two model turns through the generated registry and the real handlers: [search, search, write, search, search], and
// one that is interrupted while a command runs. With `--ctrl-c`, the person at the screen interrupts.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatcher, type ToolCall } from "@hasp/runtime";
import { toToolResultBlocks } from "@hasp/runtime/anthropic";
import { toFunctionResponses } from "@hasp/runtime/gemini";
import { toFunctionCallOutputs } from "@hasp/runtime/openai";
import type { AgentContext } from "./context.js";
import { createScreen } from "./demo-screen.js";
import { registry } from "./generated/registry.js";
import { createBackgroundTasks } from "./services/background-tasks.js";
import { openDatabase } from "./services/database.js";
import { publicNetwork } from "./services/network.js";
import { openWorkspace } from "./services/workspace.js";

const searches: readonly ToolCall[] = [
  { id: "call_1", name: "search_files", input: { text: "hasp" } },
  { id: "call_2", name: "search_files", input: { text: "door", files: "*.md" } },
  {
    id: "call_3",
    name: "write_file",
    input: { path: "notes/found.md", text: "A hasp keeps a door shut.\n", mode: "create" },
  },
  { id: "call_4", name: "search_files", input: { text: "door" } },
  // Models sometimes send numbers as strings; lossless conversions are applied.
  { id: "call_5", name: "search_files", input: '{ "text": "HASP", "ignoreCase": true, "limit": "5" }' },
];
const slow: readonly ToolCall[] = [
  {
    id: "call_6",
    name: "run_shell",
    input: { command: "for step in 1 2 3 4 5 6 7 8 9; do echo step $step of 9; sleep 1; done" },
  },
  { id: "call_7", name: "write_file", input: { path: "notes/after.md", text: "Never written.\n", mode: "create" } },
];
const waitsForCtrlC = process.argv.includes("--ctrl-c");

const screen = createScreen();
const folder = await mkdtemp(join(tmpdir(), "hasp-demo-"));
await writeFile(join(folder, "README.md"), "# Doors\nA hasp is the hinged plate that keeps a door shut.\n");
const tasks = createBackgroundTasks();
const database = await openDatabase();
try {
  const context: AgentContext = {
    workspace: await openWorkspace(folder),
    database,
    tasks,
    network: publicNetwork,
    askUser: () => Promise.reject(new Error("Nobody is at the screen.")),
  };
  const dispatcher = createDispatcher({
    // Only the tools that the demo calls: send_message would need a server.
    tools: registry.pick(["search_files", "write_file", "run_shell"]).tools,
    permissions: {
      rules: [
        { tool: "write_file", decision: "allow", reason: "the demo may write into its own folder" },
        {
          tool: "run_shell",
          when: ({ command }) => String(command).startsWith("for step in"),
          decision: "allow",
          reason: "the demo's own command",
        },
      ],
    },
    onEvent(event) {
      screen.event(event);
      const isSecondStep = event.type === "progress" && JSON.stringify(event.update).includes("step 2");
      if (isSecondStep && !waitsForCtrlC) dispatcher.interrupt("The user has seen enough.");
    },
  });
  process.once("SIGINT", () => dispatcher.interrupt("The user pressed Ctrl-C."));

  screen.heading("A turn, as it happens");
  const results = await dispatcher.dispatch(searches, { context });
  screen.heading("What ran, and what ran together");
  screen.batches(results);

  screen.heading(waitsForCtrlC ? "A turn to interrupt: press Ctrl-C" : "A turn that is interrupted at its second step");
  const interrupted = await dispatcher.dispatch(slow, { context });
  screen.heading("Every call has its answer all the same");
  screen.batches(interrupted);

  const all = [...results, ...interrupted];
  screen.heading("Back to Anthropic, in one user message");
  screen.messages(toToolResultBlocks(all));
  screen.heading("Back to OpenAI Responses, as input items");
  screen.messages(toFunctionCallOutputs(all));
  screen.heading("Back to Gemini, as function responses");
  screen.messages(toFunctionResponses(all));
  process.exitCode = results.some((result) => result.isError) ? 1 : 0;
} finally {
  await Promise.all([tasks.close(), database.close()]);
  await rm(folder, { recursive: true, force: true });
}
