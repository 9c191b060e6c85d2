import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import type { OutputFile } from "../../model/document.js";
import { NoFormatterError } from "../../typescript/format.js";
import { buildModel } from "../../plugins/compiled-model.js";
import { emitWithPlugins } from "../../plugins/foreign-plugins.js";
import type { CompileContext, EmitInput } from "../../context/context.js";
import { emitDiagnostics } from "./diagnostics.js";

/** Emits every file of a build, by path. Pure: only the writer touches the disk. */
export async function emit(input: EmitInput, context: CompileContext): Promise<Found<readonly OutputFile[]>> {
  try {
    const { foreign, emit: own } = context.plugins;
    const added = await emitWithPlugins(foreign, () => buildModel(input.tools, input.toolsets), input.plan);
    const files = own === undefined ? added.value : await own.emitFiles(input, context, added.value);
    return { value: files, diagnostics: [...added.diagnostics, ...samePaths(files)] };
  } catch (error) {
    if (!(error instanceof NoFormatterError)) throw error;
    return { value: [], diagnostics: [emitDiagnostics("no-formatter", undefined, { reason: error.message })] };
  }
}

/** Finds paths that differ only in case. Tools never share a path, but users name the toolsets. */
function samePaths(files: readonly OutputFile[]): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ path }) => {
    const folded = path.toLowerCase();
    const other = seen.get(folded);
    seen.set(folded, path);
    return other === undefined
      ? []
      : [emitDiagnostics("same-path", undefined, { variant: other === path ? "same" : "case", path, other })];
  });
}
