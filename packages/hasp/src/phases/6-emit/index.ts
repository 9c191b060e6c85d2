import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { createEmitModel } from "../../emitters/emit-model.js";
import type { EmitInput } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { manifestFile } from "../../emitters/manifest.js";
import type { OutputFile } from "../../model/output.js";
import { emitDiagnostics } from "./diagnostics.js";
import { readBack } from "./read-back.js";

/** Every file of a build, by path, read back and found to say what the model says. Pure: the writer alone touches the disk. */
export function emit(input: EmitInput): Found<readonly OutputFile[]> {
  const model = createEmitModel(input);
  const files = emitters.flatMap((emitter) => emitter.emit(model));
  const all = [...files, manifestFile(model, files)];
  readBack(model, all);
  return { value: all.toSorted((left, right) => (left.path < right.path ? -1 : 1)), diagnostics: samePaths(all) };
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
