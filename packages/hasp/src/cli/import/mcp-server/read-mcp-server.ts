import type { JsonObject, JsonValue } from "@hasp/schema";
import { MEGABYTE } from "../../../../../compiler/src/phases/1-load/limits.js";
import { parseSource } from "../../../../../compiler/src/phases/1-load/index.js";
import { jsonTextOf, listMcpTools, type McpServer } from "./list-mcp-tools.js";
import type { ReadSource } from "../../../../../import/src/sources/read-source.js";

const LARGEST_TOOL = MEGABYTE;

/** Reads the tools of a running MCP server as if they were a file. Names the tools that cannot be read. */
export async function readMcpServer(server: McpServer, seconds: number): Promise<ReadSource> {
  const answer = await listMcpTools(server, seconds);
  if ("reason" in answer) {
    const lastWords = answer.lastWords.trim().replaceAll(/\s*\n\s*/gu, " | ");
    return { reason: lastWords === "" ? answer.reason : `${answer.reason}. Its last output: ${lastWords}` };
  }
  const name = answer.server.slice(0, 100);
  const uri = `${name.replaceAll(/[^\w.-]+/gu, "_")}.tools.json`;
  const unread: { readonly name: string; readonly reason: string }[] = [];
  const tools = answer.tools.filter((tool, index) => {
    const reason = problemOf(tool);
    if (reason !== undefined) unread.push({ name: nameOf(tool) ?? `entry ${index}`, reason });
    return reason === undefined;
  });
  const text = JSON.stringify({ tools }, undefined, 2);
  const sources = new Map([[uri, text]]);
  const { value: document, diagnostics } = parseSource({ uri, text, role: "shared" });
  if (document === undefined) return { diagnostics, sources };
  return { source: { name, document, documents: new Map([[uri, document]]) }, sources, unread };
}

/** Explains why a tool cannot be read; `undefined` if it can. */
function problemOf(tool: JsonValue): string | undefined {
  const text = jsonTextOf(tool);
  if (text === undefined) return "it is nested too deeply";
  if (text.length > LARGEST_TOOL) return `it is larger than ${LARGEST_TOOL / MEGABYTE} MB`;
  const { value, diagnostics } = parseSource({ uri: "tool.json", text, role: "shared" });
  return value === undefined ? (diagnostics[0]?.message ?? "it is not JSON") : undefined;
}

function nameOf(tool: JsonValue): string | undefined {
  const name =
    typeof tool === "object" && tool !== null && !Array.isArray(tool) ? (tool as JsonObject)["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
