import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { EmitInput } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";
import { assemble } from "./assemble.js";
import { emitDiagnostics } from "./diagnostics.js";
import { emitTool } from "./emit-tool.js";
import { prepare } from "./prepare.js";
import { proveFiles } from "./prove-files.js";

/**
 * Every file of a build, by path. Each tool's parts are made by themselves (`emitTool`) and proved to say what the model
 * says; then the files are put together from them (`assemble`) and proved to be those parts. Pure: the writer alone touches
 * the disk.
 */
export function emit(input: EmitInput): Found<readonly OutputFile[]> {
  const { build, tools } = prepare(input);
  const emitted = tools.map(emitTool);
  const files = assemble(build, emitted);
  proveFiles(build, emitted, files);
  return { value: files, diagnostics: samePaths(files) };
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
