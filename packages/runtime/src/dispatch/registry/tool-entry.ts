import type { Phase } from "../../tool/definition.js";
import type { AnyTool } from "../../tool/tool.js";

/** A tool as one dispatcher sees it. */
export interface ToolEntry {
  readonly tool: AnyTool;
  /** Present for a tool of a live MCP server. */
  readonly server?: { readonly name: string; readonly toolName: string };
  /** Why a call to it is refused, and it is not listed. */
  readonly unavailable?: { readonly phase: Phase; readonly code: string; readonly message: string };
}
