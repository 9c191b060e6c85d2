import { commonName, defineDialect, freeShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, Shapes } from "../definition/dialect.js";
import { keywordTable, type KeywordTable } from "../definition/keyword-table.js";
import { wrapForMcp, wrapForMcp2025 } from "../definition/wire-entries.js";
import type { AsSent, WireObjectSchema } from "../definition/wire-types.js";

/** An entry of `tools` in a `tools/list` result of the Model Context Protocol. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: WireObjectSchema;
  /** The official packages type objects only. */
  outputSchema?: AsSent;
  annotations: {
    title?: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * The official parser requires an object for each property (@modelcontextprotocol/sdk@1.32.2 dist/esm/types.js), and
 * VS Code refuses every request with an array that lacks items (microsoft/vscode#284536).
 */
const mcpShapes: Shapes = vary(freeShapes, { repetition: true, items: "demanded", booleanProperties: false });

/** Clients silently drop a tool whose root is a union (anthropics/claude-code#10858), so properties are merged. */
const mcpRoot: KeywordTable = keywordTable({ rewrite: ["anyOf", "oneOf"] });

/** The Model Context Protocol, revision 2026-07-28: any 2020-12 schema whose root says `type: object`. */
export const mcp: Dialect = defineDialect({
  id: "mcp",
  family: "mcp",
  title: "Model Context Protocol, the newest revision that hasp knows.",
  entry: { type: "McpTool", use: "`tools` of an MCP `tools/list` result" },
  confidence: "documented",
  checkedOn: "2026-11-29",
  toolName: vary(commonName, { further: "[A-Za-z0-9_.-]" }),
  notes: ["x-mcp-header"],
  rootKeywords: mcpRoot,
  shapes: mcpShapes,
  wrap: wrapForMcp,
});

/** The Model Context Protocol, revision 2025-11-25: the newest that the official packages speak. */
export const mcp20251125: Dialect = defineDialect({
  id: "mcp-2025-11-25",
  family: "mcp",
  title: "Model Context Protocol, revision 2025-11-25.",
  entry: { type: "McpTool", use: "`tools` of an MCP `tools/list` result" },
  confidence: "documented",
  checkedOn: "2026-11-29",
  toolName: vary(commonName, { further: "[A-Za-z0-9_.-]" }),
  rootKeywords: mcpRoot,
  shapes: mcpShapes,
  wrap: wrapForMcp2025,
});
