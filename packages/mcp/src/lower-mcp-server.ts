import { dropUndefined } from "@hasp/base/json";
import { dialects, lower, wireNames, type DialectId, type JsonSchema } from "@hasp/schema";
import type { McpServer, McpTool, ToolDialect } from "@hasp/runtime";
import { keepKnownKeywords, mcpName } from "@hasp/runtime/internal";
import { guard } from "@hasp/runtime/contract";

interface NotLowered {
  readonly tool: string;
  readonly dialect: DialectId;
  readonly messages: readonly string[];
}

/**
 * Lowers the tools of a live server at run time, for dialects that do not accept every schema. A tool that a dialect
 * cannot express is excluded from its list.
 */
export function lowerMcpServer(
  server: McpServer,
  dialectIds: readonly DialectId[],
  report?: (notLowered: NotLowered) => void,
): McpServer {
  const tell = guard(report) ?? (() => undefined);
  return { ...server, tools: createServerLowering(server.server, dialectIds)(server.tools, tell) };
}

interface ServerLoweringOptions {
  /** Lets strict dialects close the server's open schemas; undeclared properties can then not be sent. */
  readonly allowNarrowing?: boolean | undefined;
}

/** Lowers a server's tools whenever its list changes. */
type ServerLowering = (tools: readonly McpTool[], report: (notLowered: NotLowered) => void) => readonly McpTool[];

/** Creates a lowering for a server whose list changes. An unchanged tool stays the same object. */
export function createServerLowering(
  server: string,
  dialectIds: readonly DialectId[],
  { allowNarrowing = false }: ServerLoweringOptions = {},
): ServerLowering {
  const done = new WeakMap<McpTool, Lowered>();
  return (tools, report) => {
    if (dialectIds.length === 0) return tools;
    const names = tools.map((tool) => mcpName(server, tool.name));
    const onWire = dialectIds.map((id) => ({ id, names: wireNames(names, dialects[id]) }));
    return tools.map((tool, index) => {
      const name = names[index] ?? "";
      const targets = onWire.map(({ id, names: wire }) => ({ id, wireName: wire.get(name) ?? name }));
      const key = JSON.stringify([name, targets]);
      let lowered = done.get(tool);
      if (lowered?.key !== key) done.set(tool, (lowered = lowerFor(tool, name, targets, { key, allowNarrowing })));
      for (const each of lowered.failed) report(each);
      return lowered.tool;
    });
  };
}

interface Lowered {
  readonly key: string;
  readonly tool: McpTool;
  readonly failed: readonly NotLowered[];
}

function lowerFor(
  tool: McpTool,
  name: string,
  targets: readonly { readonly id: DialectId; readonly wireName: string }[],
  { key, allowNarrowing }: { readonly key: string; readonly allowNarrowing: boolean },
): Lowered {
  const failed: NotLowered[] = [];
  const entries = targets.map(({ id, wireName }) => {
    const lowered = lowerTool(tool, name, wireName, id, allowNarrowing);
    if ("entry" in lowered) return [id, lowered.entry] as const;
    failed.push({ tool: name, dialect: id, messages: lowered.messages });
    return [id, { isExcluded: true }] as const;
  });
  return {
    key,
    tool: Object.freeze({ ...tool, dialects: { ...tool.dialects, ...Object.fromEntries(entries) } }),
    failed,
  };
}

function lowerTool(
  tool: McpTool,
  name: string,
  wireName: string,
  id: DialectId,
  allowNarrowing: boolean,
): { readonly entry: ToolDialect } | { readonly messages: readonly string[] } {
  const { schema, codec, diagnostics } = lower(inItsDraft(tool.inputSchema), id, { witnessBudget: 0, allowNarrowing });
  if (schema === undefined) return { messages: diagnostics.map((diagnostic) => diagnostic.message) };
  return {
    entry: {
      ...(wireName !== name && { name: wireName }),
      ...dropUndefined({ codec }),
      definition: wrap(tool, wireName, schema, id),
    },
  };
}

/** Drops unknown keywords, but keeps `$schema`, since most servers write draft 07. */
function inItsDraft(schema: JsonSchema): JsonSchema {
  const known = keepKnownKeywords(schema);
  const draft = typeof schema === "object" && Object.hasOwn(schema, "$schema") ? schema.$schema : undefined;
  return typeof known === "object" && typeof draft === "string" ? { $schema: draft, ...known } : known;
}

function wrap(
  { title, description = "", load }: McpTool,
  name: string,
  input: JsonSchema,
  id: DialectId,
): NonNullable<ToolDialect["definition"]> {
  return dialects[id].wrap({
    name,
    ...dropUndefined({ title }),
    description,
    input,
    strict: id.endsWith("-strict"),
    deferred: load === "deferred",
    // A server's hints are not passed on as ours.
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  });
}
