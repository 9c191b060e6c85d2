// One model turn, [search, search, write, search, search], through the generated registry and the real handlers.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { createDispatcher, type DispatchEvent, type ToolCall, type ToolResult } from "@hasp/runtime";
import { toToolResultBlocks } from "@hasp/runtime/anthropic";
import { toFunctionResponses } from "@hasp/runtime/gemini";
import { toFunctionCallOutputs } from "@hasp/runtime/openai";
import type { AgentContext } from "./context.js";
import { registry } from "./generated/registry.js";
import { createBackgroundTasks } from "./services/background-tasks.js";
import { openDatabase } from "./services/database.js";
import { publicNetwork } from "./services/network.js";
import { openWorkspace } from "./services/workspace.js";

const calls: readonly ToolCall[] = [
  { id: "call_1", name: "search_files", input: { text: "hasp" } },
  { id: "call_2", name: "search_files", input: { text: "door", files: "*.md" } },
  { id: "call_3", name: "write_file", input: { path: "notes/found.md", text: "A hasp keeps a door shut.\n", mode: "create" } },
  { id: "call_4", name: "search_files", input: { text: "door" } },
  // Models send numbers as text now and then; what loses nothing is put right.
  { id: "call_5", name: "search_files", input: '{ "text": "HASP", "ignoreCase": true, "limit": "5" }' },
];

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
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  const classes = new Map<string, string>();
  const began = performance.now();
  const dispatcher = createDispatcher({
    // Only what the demo calls: send_message would want to know its server.
    tools: registry.pick(["search_files", "write_file"]).tools,
    permissions: { rules: [{ tool: "write_file", decision: "allow", reason: "the demo may write into its own folder" }] },
    onEvent: (event: DispatchEvent) => {
      if (event.type === "classified") classes.set(event.callId, event.classification.class);
      if (event.type === "started") starts.set(event.callId, performance.now() - began);
      if (event.type === "settled") ends.set(event.callId, performance.now() - began);
    },
  });
  const results = await dispatcher.dispatch(calls, { context });

  heading("What ran, and what ran together");
  batchesOf(results).forEach((batch, index) => {
    const together = batch.length > 1 ? `${batch.length} calls together` : "alone";
    print(`  batch ${index + 1}  ${paint("bold", together)}`);
    for (const result of batch) {
      const time = `${milliseconds(starts.get(result.callId))} to ${milliseconds(ends.get(result.callId))} ms`;
      const state = result.isError ? paint("red", "failed") : paint("green", "ok");
      print(`    ${result.callId}  ${result.toolName.padEnd(13)} ${(classes.get(result.callId) ?? "").padEnd(16)} ${time.padStart(18)}  ${state}`);
    }
  });
  heading("Back to Anthropic, as one user message");
  print(JSON.stringify(toToolResultBlocks(results), null, 2));
  heading("Back to OpenAI Responses, as input items");
  print(JSON.stringify(toFunctionCallOutputs(results), null, 2));
  heading("Back to Gemini, as function responses");
  print(JSON.stringify(toFunctionResponses(results), null, 2));
  process.exitCode = results.some((result) => result.isError) ? 1 : 0;
} finally {
  await Promise.all([tasks.close(), database.close()]);
  await rm(folder, { recursive: true, force: true });
}

/** Neighbours that the dispatcher ran in one batch: a call that ran alone is a batch of its own. */
function batchesOf(results: readonly ToolResult[]): ToolResult[][] {
  const batches: ToolResult[][] = [];
  for (const result of results) {
    const last = batches.at(-1);
    if (result.wasConcurrent && last?.[0]?.wasConcurrent === true) last.push(result);
    else batches.push([result]);
  }
  return batches;
}

function heading(text: string): void {
  print(`\n${paint("bold", text)}`);
}

function paint(style: "bold" | "red" | "green", text: string): string {
  return process.stdout.isTTY && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? "?" : value.toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
