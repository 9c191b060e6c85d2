import { allDecoders } from "@hasp/schema/internal/runtime";
import { holdsSchemas, isKeyword, keywordRow, mapSubschemas } from "@hasp/schema/vocabulary";
import type { JsonObject, JsonSchema } from "@hasp/schema";
import type { ExcludedTool, McpServer, McpTool } from "../../dispatch/state/dispatcher-types.js";
import type { Display, PlainDefinition } from "../../tool/definition.js";
import type { FieldGroup } from "../../tool/fields.js";
import { anObject, checkShape, type OptionKind, type Refuse, type Shape } from "../../tool/shape.js";
import { MCP_PREFIX } from "../../tool/tool-names.js";
import { freezeSchema, makeTool } from "../../tool/make-tool.js";
import { setOwn, own, sha256 } from "@hasp/base/json";
import { fromCallToolResult } from "../../results/from-call-tool-result.js";
import { messageOf } from "../../results/text.js";
import { printPlainLine } from "../../tool/sentence.js";
import { defineExtension } from "../../dispatch/state/define-extension.js";
import type { Attachment, DispatcherExtension, ToolDoor } from "../../dispatch/state/extension.js";
import type { OfferedTool } from "../../dispatch/state/engine.js";

const MAX_NAME = 64;

/** Entries by the host's tool objects, so that each is built once. */
type McpEntryCache = WeakMap<McpTool, { readonly key: string; readonly entry: OfferedTool }>;

/** Returns `mcp__server__tool`, cleaned; a long name is cut and ends with 8 digits of a digest. */
export function mcpName(server: string, tool: string): string {
  const full = `${server}__${tool}`;
  const name = MCP_PREFIX + full.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 9)}_${sha256(full).slice(0, 8)}`;
}

/**
 * Offers the tools of live MCP servers. `refresh` returns the servers again: asked once before the first list, and as each
 * turn ends. What no list has shown does not run.
 */
export function liveTools(
  servers: readonly McpServer[],
  { refresh }: { readonly refresh?: (() => readonly McpServer[] | Promise<readonly McpServer[]>) | undefined } = {},
): DispatcherExtension<undefined> {
  const attach = (): Attachment<undefined> => {
    const cache: McpEntryCache = new WeakMap();
    let now = [...servers];
    const add: ToolDoor["add"] = (report) => createMcpEntries(now, cache, report);
    if (refresh === undefined) return { api: undefined, tools: { add } };
    const renew = async (): Promise<void> => {
      const renewed = [...(await refresh())];
      createMcpEntries(renewed, cache, () => undefined);
      now = renewed;
    };
    return { api: undefined, tools: { add, refresh: renew } };
  };
  return defineExtension({ name: "live", needs: ["flow"], attach });
}

/** Returns the tools of all live servers. Two of the same name are both excluded. */
function createMcpEntries(
  servers: readonly McpServer[],
  cache: McpEntryCache,
  report: (excluded: ExcludedTool) => void,
): readonly OfferedTool[] {
  const byName = new Map<string, OfferedTool[]>();
  for (const server of servers) {
    if (typeof server.server !== "string" || server.server === "" || server.server.includes("__")) {
      throw new TypeError(
        `The MCP server id ${JSON.stringify(server.server)} must be a string without "__", which separates server and tool.`,
      );
    }
    checkClaims(server);
    for (const found of server.excluded ?? []) report(found);
    for (const tool of server.tools) {
      const toolName = mcpName(server.server, tool.name);
      try {
        const entry = mcpEntry(server, tool, toolName, cache);
        byName.set(toolName, [...(byName.get(toolName) ?? []), entry]);
      } catch (error) {
        report({ toolName, code: "unusable-schema", message: `The tool is excluded: ${messageOf(error)}` });
      }
    }
  }
  return [...byName].flatMap(([toolName, entries]) => {
    if (entries.length === 1) return entries;
    const owners = entries.map(({ server }) => `"${server?.toolName ?? ""}" of "${server?.name ?? ""}"`).join(" and ");
    report({
      toolName,
      code: "name-collision",
      message: `${owners} would both be called ${toolName}; both are excluded. Rename one, or its server.`,
    });
    return [];
  });
}

function displayOf(server: string, { name, title }: McpTool): Display<JsonObject> {
  const what = `${printPlainLine(title ?? name)} of ${server}`;
  return {
    running: () => printPlainLine(`Calling ${what}`),
    done: () => printPlainLine(`Called ${what}`),
    failed: () => printPlainLine(`Calling ${what} failed`),
    rejected: () => printPlainLine(`Calling ${what} was refused`),
    progress: ({ progress }) => {
      const { message } = Object(progress) as { readonly message?: unknown };
      return printPlainLine(typeof message === "string" ? `${what}: ${message}` : `Calling ${what}`);
    },
  };
}

const CLAIM: OptionKind = { expected: "false, or left out", fits: (value) => value === false };
const CLAIMS: Shape = { returnsUntrusted: CLAIM, returnsPrivate: CLAIM, isOpenWorld: CLAIM };

function checkClaims({ server, claims = {} }: McpServer): void {
  const refuse: Refuse = (path, what) => {
    throw new TypeError(`MCP server ${JSON.stringify(server)}: ${path} ${what}.`);
  };
  for (const [tool, claim] of Object.entries(claims)) {
    if (!anObject.fits(claim)) refuse(`\`claims.${tool}\``, `must be ${anObject.expected}`);
    checkShape(claim, CLAIMS, `claims.${tool}.`, refuse);
  }
}

function mcpEntry(
  { server, trusted, claims = {}, isPinned = false }: McpServer,
  source: McpTool,
  name: string,
  cache: McpEntryCache,
): OfferedTool {
  const claim = own(claims, source.name) ?? {};
  const key = JSON.stringify([server, name, trusted === true, isPinned, Object.entries(claim).toSorted()]);
  const known = cache.get(source);
  if (known?.key === key) return known.entry;
  const input = freezeSchema(source.inputSchema);
  const { title, description = "", dialects } = source;
  const definition: PlainDefinition<JsonObject, unknown, unknown> = {
    ...decideFields(source, claim, trusted === true),
    name,
    title,
    description,
    input,
    output: source.outputSchema,
    dialects,
    parts: { decoders: allDecoders },
    display: displayOf(server, source),
    execute: async (input, options) => fromCallToolResult(await source.execute(input, options)),
  };
  const entry: OfferedTool = Object.freeze({
    // A server's unknown keywords stay out of the list: providers may refuse them, and models obey them.
    tool: makeTool(definition, { listed: keepKnownKeywords(input) }),
    server: Object.freeze({ name: server, toolName: source.name, isPinned }),
  });
  cache.set(source, { key, entry });
  return entry;
}

/** Decides the fields of a tool. A hint affects scheduling only if the host trusts the server, and never permission. */
function decideFields(
  { isReadOnly, annotations, load, searchHint, limits }: McpTool,
  behavior: NonNullable<McpServer["claims"]>[string],
  isTrusted: boolean,
): Pick<PlainDefinition<JsonObject, unknown, unknown>, FieldGroup> {
  const reads = isReadOnly === true || (isTrusted && annotations?.["readOnlyHint"] === true);
  const visibility = { load, searchHint };
  return { concurrency: { class: reads ? "READ_ONLY" : "UNSAFE" }, behavior, visibility, limits };
}

/** True if a keyword stays in a listed schema. Identifiers and comments mean nothing to a model. */
function isListed(keyword: string): boolean {
  if (!isKeyword(keyword)) return false;
  if (keyword === "$anchor" || holdsSchemas(keyword)) return true;
  return keyword !== "$comment" && keyword !== "$dynamicRef" && keywordRow(keyword)?.role !== "identifier";
}

export function keepKnownKeywords(schema: unknown): JsonSchema {
  if (typeof schema !== "object" || schema === null) return schema as JsonSchema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isListed(keyword)) setOwn(result, keyword, mapSubschemas(keyword, value, keepKnownKeywords));
  }
  return result;
}
