import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { EmitInput, ToolToEmit } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";
import { assemble } from "./assemble.js";
import { emitDiagnostics } from "./diagnostics.js";
import { type EmittedTool, emitTool } from "./emit-tool.js";
import { prepare } from "./prepare.js";
import { proveFiles } from "./prove-files.js";

/**
 * Every file of a build, by path. Each tool's parts are made by themselves (`emitTool`) and proved to say what the
 * model says; then the files are put together from them (`assemble`) and proved to be those parts. Pure: the writer
 * alone touches the disk.
 */
export async function emit(input: EmitInput): Promise<Found<readonly OutputFile[]>> {
  const prepared = prepare(input);
  const emitted = prepared.tools.map(emittedTool);
  const files = assemble(prepared, emitted);
  proveFiles(prepared, emitted, files);
  return { value: files, diagnostics: samePaths(files) };
}

/** The parts of a tool, made anew unless nothing changed of what they are made from. */
function emittedTool(tool: ToolToEmit): EmittedTool {
  const { names, forms, sharedTypes, plan } = tool;
  // The rest is in the key of the tool's facts.
  const settings = [
    names,
    [...sharedTypes.namesByDefinition],
    plan.unlocked,
    forms.map((form) =>
      form.kind === "listed" ? [form.dialect, form.lowered.dialect, form.lowered.wireName, form.lowered.isShown] : form,
    ),
  ];
  return tool.tool.facts.of("parts", () => emitTool(tool), JSON.stringify(settings));
}

/** Tools never share a path, whatever they are called; toolsets are named by the user. */
function samePaths(files: readonly OutputFile[]): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ path }) => {
    const folded = path.toLowerCase();
    const other = seen.get(folded);
    seen.set(folded, path);
    return other === undefined ? [] : [emitDiagnostics("same-path", undefined, { path, other })];
  });
}
