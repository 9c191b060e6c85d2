import type { Found } from "../../diagnostics/diagnostic.js";
import type { EmitInput, EmitModel } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { createLayout } from "../../emitters/layout.js";
import { manifestFile } from "../../emitters/manifest.js";
import { noSharedTypes } from "../../emitters/shared-types.js";
import type { OutputFile } from "../../model/output.js";

/** Every file of a build, by path. Pure: the writer alone touches the disk. */
export function emit(input: EmitInput): Found<readonly OutputFile[]> {
  const layout = createLayout(input.tools.map(({ name }) => name), input.plan);
  const model: EmitModel = { ...input, layout, sharedTypes: noSharedTypes };
  const files = emitters.flatMap((emitter) => emitter.emit(model));
  const all = [...files, manifestFile(model, files)];
  return { value: all.toSorted((left, right) => (left.path < right.path ? -1 : 1)), diagnostics: [] };
}
