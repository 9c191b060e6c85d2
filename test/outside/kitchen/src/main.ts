// Calls the kitchen's tools in one turn and prints each answer on a line.
import { createDispatcher, createPermissions } from "@hasp/runtime";
import { host } from "./context.js";
import { policy } from "./generated/guest/policy.js";
import { toolsFor } from "./generated/guest/providers/anthropic.js";
import { tools as listed } from "./generated/providers/mcp.js";
import { registry } from "./generated/registry.js";

const calls = [
  { name: "add", input: { a: 1 } },
  { name: "add", input: { a: "one" } },
  { name: "gated", input: { x: "lazy" } },
  { name: "gated_elsewhere", input: {} },
  { name: "alone", input: { text: "hush" } },
  { name: "pick_shape", input: { shape: { kind: "box", width: 2, height: 3 } } },
  { name: "pick_shape", input: { shape: { kind: "circle", width: 2 } } },
  { name: "judged", input: { mode: "read", query: "all" } },
  { name: "judged", input: { mode: "read", query: "unknown" } },
];

/** Prints the answers. No file of a CommonJS host may wait at its top level. */
async function main(): Promise<void> {
  const permissions = createPermissions({ ...policy, ask: () => "allow" });
  const features = (gate: string): boolean => gate === "DRAWING";
  const dispatcher = createDispatcher({ tools: registry, permissions, features });
  const turn = calls.map((call, index) => ({ id: String(index), ...call }));
  for (const [index, { output, error }] of (await dispatcher.dispatch(turn, { context: host })).entries()) {
    console.log(turn[index]?.name, error === undefined ? JSON.stringify(output) : `${error.code} ${error.effect}`);
  }
  console.log("listed", listed.length > 30, "gated", toolsFor(features).length - toolsFor(() => false).length);
}

void main();
