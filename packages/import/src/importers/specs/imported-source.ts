import type { JsonObject } from "@hasp/schema";
import type { Location } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";

/** One imported tool as a spec. */
export interface ImportedTool {
  /** The name in the spec: the source's own, or the nearest valid one. */
  readonly name: string;
  /** The file name, without a folder. */
  readonly fileName: string;
  /** The spec as data. */
  readonly spec: JsonObject;
  /** True if its input accepts anything somewhere, which a reviewer must approve. */
  readonly isOpen: boolean;
  /** Locates the tool in the source; computed on demand. */
  locate(): Location;
}

/** Returns what the source calls a tool. */
export function nameAtSource({ spec }: ImportedTool): string {
  const { origin } = spec;
  return isObject(origin) ? String(origin["name"]) : "";
}

/** The file of definitions that several specs share. */
export interface SharedFile {
  /** The file name, without a folder. */
  readonly fileName: string;
  /** `$defs`, with their origin under `x-imported-from`. */
  readonly content: JsonObject;
}

/** A service that imported handlers call. */
export interface ImportedConnection {
  readonly name: string;
  /** The value under `connections.<name>` in the configuration. */
  readonly settings: JsonObject;
  /** Notes for the author, one line each. */
  readonly comments: readonly string[];
  /** The environment variables that a call reads, and what each holds. */
  readonly variables: readonly { readonly name: string; readonly holds: string }[];
}

/** The result of importing one source. */
export interface ImportedSource {
  readonly tools: readonly ImportedTool[];
  /** The connections that the tools need. */
  readonly connections?: readonly ImportedConnection[];
  readonly shared?: SharedFile;
  /** Names of tools that were not imported; the diagnostics say why. */
  readonly refused: readonly string[];
}
