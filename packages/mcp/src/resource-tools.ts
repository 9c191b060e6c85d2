import { isStructured, readOwnMember } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { LONGEST_TIMER, findImage, MOST_IMAGE_CHARS, cut } from "@hasp/runtime/internal";
import { type MarkedResult, type McpTool, type ToolContent, toolResult } from "@hasp/runtime";
import type { McpCallOptions, McpClient } from "./mcp-client.js";

/** Limits the parts, each of which is a block of the result. */
const MOST_PARTS = 1000;
const MOST_NAME_CHARS = 2000;
/** Creates the two tools that list and read the resources of a connected server; none if it does not declare any. */
export function resourceTools(
  client: McpClient,
  { server, load }: { readonly server: string; readonly load?: McpTool["load"] },
): readonly McpTool[] {
  const { resources } = Object(client.getServerCapabilities?.()) as { readonly resources?: unknown };
  const { listResources, readResource } = client;
  if (!isStructured(resources) || listResources === undefined || readResource === undefined) return [];
  const optionsOf = (signal: AbortSignal): McpCallOptions => ({ signal, timeout: LONGEST_TIMER });
  const list: McpTool = {
    name: "list_resources",
    title: "List resources",
    description: `List the resources of the MCP server "${server}": the URI, name and type of each. Use it to find what read_resource of this server can read. A \`nextCursor\` in the answer leads to the next page.`,
    searchHint: "resources files documents of an MCP server",
    inputSchema: {
      type: "object",
      properties: {
        cursor: { type: "string", description: "The nextCursor of the previous page. Omit it for the first." },
      },
      additionalProperties: false,
    },
    isReadOnly: true,
    load,
    execute: async ({ cursor }, { signal }) => {
      const params = typeof cursor === "string" ? { cursor } : {};
      return toPage(await listResources.call(client, params, optionsOf(signal)), server);
    },
  };
  const read: McpTool = {
    name: "read_resource",
    title: "Read a resource",
    description: `Read a resource of the MCP server "${server}" by its URI. Use list_resources of this server to find URIs. Text and images are shown; for other data, only type and size.`,
    searchHint: "resource file document contents of an MCP server",
    inputSchema: {
      type: "object",
      required: ["uri"],
      properties: { uri: { type: "string", minLength: 1, description: "The URI of the resource, exactly as listed." } },
      additionalProperties: false,
    },
    isReadOnly: true,
    load,
    execute: async ({ uri }, { signal }) =>
      toContents(await readResource.call(client, { uri: uri as string }, optionsOf(signal)), server),
  };
  return [Object.freeze(list), Object.freeze(read)];
}

function toPage(answer: unknown, server: string): JsonObject {
  const { resources, nextCursor } = Object(answer) as { readonly resources?: unknown; readonly nextCursor?: unknown };
  if (!Array.isArray(resources) || !resources.every(hasUri)) {
    throw new Error(`The MCP server "${server}" did not list its resources: its answer is not a list of URIs.`);
  }
  return { resources: resources.map(toEntry), ...(typeof nextCursor === "string" && { nextCursor }) };
}

function toEntry(resource: Readonly<Record<string, unknown>>): JsonObject {
  const known = ["uri", "name", "title", "description", "mimeType", "size"].flatMap((field): [string, JsonValue][] => {
    const value = resource[field];
    return typeof value === (field === "size" ? "number" : "string") ? [[field, value as JsonValue]] : [];
  });
  return Object.fromEntries(known);
}

/** Converts the parts of a resource: text and supported images as they are, others to their type and size. */
function toContents(answer: unknown, server: string): MarkedResult {
  const { contents } = Object(answer) as { readonly contents?: unknown };
  if (!Array.isArray(contents) || !contents.every(hasUri)) {
    throw new Error(`The MCP server "${server}" did not read the resource: its answer is not a list of contents.`);
  }
  if (contents.length > MOST_PARTS) {
    throw new Error(`The resource of the MCP server "${server}" has more than ${MOST_PARTS} parts.`);
  }
  if (contents.length === 0) return toolResult({ content: "The resource is empty." });
  let imageRoom = MOST_IMAGE_CHARS;
  const toBlock = ({ uri, mimeType, text, blob }: Readonly<Record<string, unknown>>): ToolContent => {
    if (typeof text === "string" && contents.length === 1) return { type: "text", text };
    const named = {
      type: "resource",
      uri: cut(String(uri), MOST_NAME_CHARS),
      ...(typeof mimeType === "string" && { mimeType: cut(mimeType, MOST_NAME_CHARS) }),
    } as const;
    if (typeof text === "string") return { ...named, text };
    if (typeof blob !== "string") return { ...named, text: "[This part has neither text nor data.]" };
    const image = blob.length <= imageRoom ? findImage({ ...named, blob }) : undefined;
    if (image !== undefined) {
      imageRoom -= blob.length;
      return image;
    }
    return { ...named, text: `[${Math.floor((blob.length * 3) / 4)} bytes of data, which cannot be shown here]` };
  };
  return toolResult({ content: contents.map(toBlock) });
}

function hasUri(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof readOwnMember(value, "uri") === "string";
}
