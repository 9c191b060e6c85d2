import type { JsonObject } from "@hasp/schema";
import type { Location } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";

export interface ImportedTool {
  /** The source's own name, or the nearest valid one. */
  readonly name: string;
  readonly fileName: string;
  readonly spec: JsonObject;
  /** True if its input accepts anything somewhere, which a reviewer must approve. */
  readonly isOpen: boolean;
  /** Locates the tool in the source; computed on demand. */
  locate(): Location;
}

export function nameAtSource({ spec }: ImportedTool): string {
  const { origin } = spec;
  return isObject(origin) ? String(origin["name"]) : "";
}

export interface SharedFile {
  readonly fileName: string;
  /** `$defs`, with their origin under `x-imported-from`. */
  readonly content: JsonObject;
}

export interface ImportedConnection {
  readonly name: string;
  /** Settings under `connections.<name>`. */
  readonly settings: JsonObject;
  /** Notes for the author, one line each. */
  readonly comments: readonly string[];
  readonly variables: readonly { readonly name: string; readonly holds: string }[];
}

export interface ImportedSource {
  readonly tools: readonly ImportedTool[];
  readonly connections?: readonly ImportedConnection[];
  readonly shared?: SharedFile;
  /** Names of tools that were not imported; the diagnostics say why. */
  readonly refused: readonly string[];
}
