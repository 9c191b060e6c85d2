import type { JsonObject } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";

/** One tool of a source, as the spec that it becomes. */
export interface ImportedTool {
  /** The name in the spec: the source's own, or the nearest valid one. */
  readonly name: string;
  /** The name of the file, without a folder. */
  readonly fileName: string;
  /** The spec as data. */
  readonly spec: JsonObject;
  /** The place of the tool in the source; computed when asked. */
  locate(): Location;
}

/** Definitions that several specs refer to, as the one file that holds them. */
export interface SharedFile {
  /** The name of the file, without a folder. */
  readonly fileName: string;
  /** `$defs`, and under `x-imported-from` where they came from. */
  readonly content: JsonObject;
}

/** What an importer makes of one source. */
export interface ImportedSource {
  readonly tools: readonly ImportedTool[];
  readonly shared?: SharedFile;
  /** Tools of the source that did not become specs, by name; the diagnostics say why. */
  readonly refused: readonly string[];
}
