import { makeUserFile } from "@hasp/project/output";
import { type CommandResult, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

/** Writes a file that is not there yet, or reports why it was not written. */
export async function writeNew(
  root: string,
  { path: place, text, shown: path = place }: { readonly path: string; readonly text: string; readonly shown?: string },
  remedy: string,
): Promise<CommandResult | undefined> {
  const made = await makeUserFile(root, place, text);
  if (made.state === "failed") return refuse(cliDiagnostics("cannot-write", undefined, { path, reason: made.reason }));
  return made.state === "exists" || made.state === "unchanged"
    ? { diagnostics: [cliDiagnostics("file-exists", undefined, { path, remedy })] }
    : undefined;
}
