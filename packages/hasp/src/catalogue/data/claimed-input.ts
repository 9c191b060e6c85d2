import type { JsonValue } from "@hasp/schema";
import { exampleInput } from "../../ledger/index.js";
import type { FlatTool } from "../../model/tool.js";

/** Finds an input that a claim makes milder. The search runs once per version of a tool. */
export function claimedInput(tool: FlatTool, pointer: string): JsonValue | undefined {
  const found = tool.facts.of(`example ${pointer}`, () => {
    const input = exampleInput(tool, { claim: "", pointer, covers: { kind: "input" } });
    return input === undefined ? [] : [input];
  });
  return found[0];
}
