import type { ImportedTool } from "../../../../../import/src/importers/specs/imported-source.js";
import type { MergeConflict, Side } from "../../../../../import/src/importers/specs/merge-import.js";
import type { LoadedDocument } from "../../../../../compiler/src/model/document.js";
import type { MovedSpec } from "./moved-specs.js";

/** What `hasp import` does with files that exist. */
export interface WriteOptions {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
  readonly ours?: boolean;
  readonly theirs?: boolean;
}

/** Where and how imported files are written. */
export interface PutSettings {
  /** Absolute path of the folder of the specs. */
  readonly out: string;
  readonly header: readonly string[];
  readonly options: WriteOptions;
  /** Asks a person about the conflicts of a file; answers by pointer. `undefined` if nobody can be asked. */
  readonly ask?: (path: string, conflicts: readonly MergeConflict[]) => Promise<ReadonlyMap<string, Side>>;
  readonly folder: string;
  /** The folder of the ledger. */
  readonly root: string;
  /** The source. */
  readonly document: LoadedDocument;
  /** Specs of this kind that are not where the import would write them, by their name at the source. */
  readonly moved: ReadonlyMap<string, MovedSpec>;
}

/** What became of a spec. */
export type PutState = "written" | "updated" | "unchanged";

/** A tool and what the import did with its spec. */
export interface ImportedSpec {
  readonly tool: ImportedTool;
  readonly state: PutState;
  readonly path: string;
  /** True if the spec has suggestions of the source that nobody has adopted. */
  readonly suggests: boolean;
}
