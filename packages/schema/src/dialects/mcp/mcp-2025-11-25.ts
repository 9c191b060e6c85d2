import { wrapForMcp2025 } from "../definition/wire-entries.js";
import { defineDialect, vary, commonName } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { mcpRoot, mcpShapes } from "./mcp.js";

/** The Model Context Protocol, revision 2025-11-25: the newest that the official packages speak. */
export const mcp20251125: Dialect = defineDialect({
  id: "mcp-2025-11-25",
  family: "mcp",
  title: "Model Context Protocol, revision 2025-11-25.",
  entry: { type: "McpTool", use: "`tools` of an MCP `tools/list` result" },
  confidence: "documented",
  toolName: vary(commonName, { further: "[A-Za-z0-9_.-]" }),
  rootKeywords: mcpRoot,
  shapes: mcpShapes,
  wrap: wrapForMcp2025,
});

export const provenance: Provenance = {
  sources: [
    "modelcontextprotocol/modelcontextprotocol@b0f60ba5 schema/2025-11-25/schema.ts",
    "@modelcontextprotocol/sdk@1.32.2 dist/esm/types.js",
    "@modelcontextprotocol/core@2.4.0",
    "microsoft/vscode#284536",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "The type of the specification lists type, properties and required at the root; the parser keeps other keys.",
  ],
};
