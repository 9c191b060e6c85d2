import type { JsonObject } from "@hasp/schema";
import type { CallError } from "../../results/call-errors.js";
import type { NamedTool } from "../permissions/tool-pattern.js";
import type { ExcludedTool } from "./dispatcher-types.js";

export interface ToolEntry extends NamedTool {
  /** The refusal of every call to it; it is not listed either. */
  readonly unavailable?: CallError;
}

/** The tools of a dispatcher at one moment. A turn keeps the snapshot it began with. */
export interface ToolSnapshot {
  /** Finds a tool by its name on the wire, its own name, or an alias. */
  find(name: string, dialect: string | undefined): ToolEntry | undefined;
  definitions(dialect: string): readonly JsonObject[];
  readonly excluded: readonly ExcludedTool[];
  /** True if some tool loads its handler on its first call. */
  readonly hasLazyTools: boolean;
  /** By name; equal lists mean equal snapshots. */
  readonly entries: readonly ToolEntry[];
}
