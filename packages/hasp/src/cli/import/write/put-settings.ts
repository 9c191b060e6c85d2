import type { ImportedTool } from "../../../../../import/src/importers/specs/imported-source.js";
import type { MergeConflict, Side } from "../../../../../import/src/importers/specs/merge-import.js";
import type { LoadedDocument } from "../../../../../compiler/src/model/document.js";
import type { MovedSpec } from "./moved-specs.js";

export interface WriteOptions {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
  readonly ours?: boolean;
  readonly theirs?: boolean;
}

export interface PutSettings {
  /** Absolute path of the folder of the specs. */
  readonly out: string;
  readonly header: readonly string[];
  readonly options: WriteOptions;
  /** Asks a person about the conflicts of a file; answers by pointer. Absent if nobody can be asked. */
  readonly ask?: (path: string, conflicts: readonly MergeConflict[]) => Promise<ReadonlyMap<string, Side>>;
  readonly folder: string;
  readonly root: string;
  readonly document: LoadedDocument;
  /** Specs of this kind in other places, by their name at the source. */
  readonly moved: ReadonlyMap<string, MovedSpec>;
}

export type PutState = "written" | "updated" | "unchanged";

export interface ImportedSpec {
  readonly tool: ImportedTool;
  readonly state: PutState;
  readonly path: string;
  /** True if the spec has suggestions that nobody has adopted. */
  readonly suggests: boolean;
}
