import { join } from "node:path";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import { createLayout, chooseGeneratedNames } from "@hasp/compiler/layout";
import { listWantedExports } from "@hasp/builtin";
import type { CompilePlan, FlatTool } from "@hasp/compiler";
import { readTextIfThere } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { updateUserFile } from "./user-files.js";

/** A handler to which functions are added. */
export interface StubUpdate {
  readonly path: string;
  readonly added: readonly string[];
  readonly before: string;
  /** The user's text with these functions. */
  readonly text: string;
}

/**
 * Finds the functions that specs demand now and that handlers lack. A missing handler is created by the build; one that
 * cannot be extended safely is left alone, with a warning. Only functions that a spec calls `custom` are added:
 * everything else is the user's business.
 */
export async function findStubUpdates(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  root: string,
): Promise<Found<readonly StubUpdate[]>> {
  const layout = createLayout(plan);
  const names = chooseGeneratedNames(tools.map(({ name }) => name));
  const updates: StubUpdate[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const tool of tools.filter(({ customFunctions }) => customFunctions.length > 0)) {
    const ofTool = names.get(tool.name);
    if (ofTool === undefined) continue;
    const path = layout.handler(ofTool);
    const text = readTextIfThere(join(root, path));
    if (text === undefined) continue;
    const { addExports } = await import("@hasp/builtin/modules");
    const result = addExports(text, await listWantedExports(tool, ofTool, layout, plan));
    if ("problem" in result) {
      diagnostics.push(
        writeDiagnostics(
          "stub-left-alone",
          undefined,
          { path, functions: tool.customFunctions, problem: result.problem },
          { tool: tool.name },
        ),
      );
    } else if (result.added.length > 0) updates.push({ path, added: result.added, before: text, text: result.text });
  }
  return { value: updates, diagnostics };
}

/** Writes the updates; a file that was changed in the meantime is left as it is and reported. */
export async function writeStubUpdates(updates: readonly StubUpdate[], root: string): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { path, before, text } of updates) {
    const reason = await updateUserFile(root, path, before, text);
    if (reason !== undefined) diagnostics.push(writeDiagnostics("failed", undefined, { path, reason }));
  }
  return diagnostics;
}
