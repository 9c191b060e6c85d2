import { relative, resolve } from "node:path";
import { type Diagnostic, printThrown } from "@hasp/base/diagnostics";
import type { CompileResult } from "@hasp/compiler";
import { createProjectReader } from "@hasp/project";
import type { DispatcherExtension } from "@hasp/runtime";
import { serveDiagnostics } from "../diagnostics.js";

/** A tape with a call that a replay would refuse, or that is damaged. */
interface OutdatedTape {
  readonly file: string;
  readonly tool: string;
  readonly change: string;
}

/** Opens the tape that a call is recorded on or answered from; paths are relative to the folder. */
export async function openTape(
  { record, replay }: { readonly record?: string; readonly replay?: string },
  folder: string,
): Promise<DispatcherExtension | { readonly finding: Diagnostic }> {
  if (record !== undefined && replay !== undefined) {
    return { finding: serveDiagnostics("record-and-replay") };
  }
  const { recordTape, replayTape } = await import("@hasp/testing");
  const path = relative(process.cwd(), resolve(folder, record ?? replay ?? ""));
  try {
    if (replay !== undefined) return replayTape(path);
    const tape = recordTape(path, { append: true });
    tape.open();
    return tape;
  } catch (error) {
    return { finding: serveDiagnostics("tape-unusable", undefined, { reason: printThrown(error) }) };
  }
}

/** Finds the tapes below a folder with calls that a replay would refuse, and explains damaged ones. */
export async function findOutdatedTapes(root: string, tools: CompileResult["tools"]): Promise<readonly OutdatedTape[]> {
  const [{ globSync }, { findOutdatedTools }] = await Promise.all([import("tinyglobby"), import("@hasp/testing")]);
  const schemas = new Map(tools.map((tool) => [tool.name, tool.input.schema]));
  const files = globSync("**/*.jsonl", {
    cwd: root,
    ignore: ["**/node_modules/**"],
    // A change could add a link to any folder of the machine.
    followSymbolicLinks: false,
  }).toSorted();
  const project = createProjectReader(root);
  return files.flatMap((file) => {
    const text = Buffer.from(project.readBytes(file) ?? []).toString();
    // Other files of this kind are somebody else's.
    if (!/^[\s[]*\{\s*"(?:tape|tool)"/u.test(text)) return [];
    try {
      return findOutdatedTools(text, file, schemas).map((found) => ({ file, ...found }));
    } catch (error) {
      return [{ file, tool: "", change: printThrown(error) }];
    }
  });
}
