import type { LoadedDocument } from "../model/document.js";
import type { LoweredToolset } from "../model/lowered.js";
import type { OutputFile } from "../model/output.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { Layout } from "./layout.js";
import type { SharedTypes } from "./shared-types.js";

/** All that a build knows when it writes. */
export interface EmitInput {
  /** By name. */
  readonly tools: readonly FlatTool[];
  readonly toolsets: readonly LoweredToolset[];
  readonly plan: CompilePlan;
  /** Every file that was read; the manifest digests them. Without it, only the specs' own files are. */
  readonly documents?: readonly LoadedDocument[];
}

/** The same with what several emitters need: names, paths and the types that tools share. */
export interface EmitModel extends EmitInput {
  readonly layout: Layout;
  readonly sharedTypes: SharedTypes;
}

/** Makes one kind of file. Pure: the same model gives the same bytes. */
export interface Emitter {
  readonly name: string;
  emit(model: EmitModel): readonly OutputFile[];
}
