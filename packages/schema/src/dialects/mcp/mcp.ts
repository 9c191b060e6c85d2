import { wrapForMcp } from "../definition/wire-entries.js";
import type { WireObjectSchema } from "../definition/wire-types.js";
import { defineDialect, vary, commonName, freeShapes } from "../definition/define-dialect.js";
import { keywordTable, type KeywordTable } from "../definition/keyword-table.js";
import type { Dialect, Provenance, Shapes } from "../definition/dialect.js";

/** An entry of `tools` in a `tools/list` result of the Model Context Protocol. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: WireObjectSchema;
  outputSchema?: WireObjectSchema;
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
export const mcpShapes: Shapes = vary(freeShapes, { repetition: true, items: "demanded", booleanProperties: false });

/** Clients silently drop a tool whose root is a union (anthropics/claude-code#10858), so properties are merged. */
export const mcpRoot: KeywordTable = keywordTable({ rewrite: ["anyOf", "oneOf"] });

/** The Model Context Protocol, revision 2026-07-28: any 2020-12 schema whose root says `type: object`. */
export const mcp: Dialect = defineDialect({
  id: "mcp",
  family: "mcp",
  title: "Model Context Protocol, the newest revision that hasp knows.",
  entry: { type: "McpTool", use: "`tools` of an MCP `tools/list` result" },
  confidence: "documented",
  toolName: vary(commonName, { further: "[A-Za-z0-9_.-]" }),
  notes: ["x-mcp-header"],
  rootKeywords: mcpRoot,
  shapes: mcpShapes,
  wrap: wrapForMcp,
});

export const provenance: Provenance = {
  sources: [
    "modelcontextprotocol/modelcontextprotocol@b0f60ba5 schema/2026-07-28/schema.ts, docs/specification/2026-07-28",
    "@modelcontextprotocol/sdk@1.32.2 dist/esm/types.js",
    "anthropics/claude-code#10858",
    "microsoft/vscode#284536",
    "microsoft/vscode#257537",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "Names may have 128 characters and dots; the common rule is taken, since clients hand them to providers.",
    "Keys of a provider (strict and the like) never stand on the tool; _meta is for those.",
  ],
};
