import type { JsonValue } from "@hasp/schema";
import { exampleInput } from "../../../compiler/src/ledger/index.js";
import type { FlatTool } from "../../../compiler/src/model/tool.js";

/** Finds an input that a claim loosens. */
export function claimedInput(tool: FlatTool, pointer: string): JsonValue | undefined {
  return exampleInput(tool, { claim: "", pointer, covers: { kind: "input" } });
}
