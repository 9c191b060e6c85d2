// The entries of each API's list of tools. Apart from the dialects: a program that lists tools loads no tables.
import type { JsonObject } from "@hasp/base/json";
import type { WireTool } from "./dialect.js";

/** A tool for an API that has no field for hints. */
export type UnhintedTool = Omit<WireTool, "hints">;

/** Builds an entry of the Messages API. */
export function wrapForAnthropic(tool: UnhintedTool): JsonObject {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: tool.input as JsonObject,
    strict: tool.strict ?? false,
    ...(tool.deferred ? { defer_loading: true } : {}),
    ...(tool.examples === undefined || tool.examples.length === 0 || tool.deferred
      ? {}
      : { input_examples: tool.examples }),
    ...tool.extra,
  };
}

/** Builds an entry of `toolConfig.tools`; an empty description is refused, so it is left out. */
export function wrapForBedrock(tool: UnhintedTool): JsonObject {
  return {
    toolSpec: {
      name: tool.name,
      ...(tool.description === "" ? {} : { description: tool.description }),
      inputSchema: { json: tool.input as JsonObject },
      strict: tool.strict ?? false,
    },
    ...tool.extra,
  };
}

/** Builds the entry of OpenAI's chat API, but any further key on the tool (`strict` too) is refused. */
export function wrapForCohere(tool: UnhintedTool): JsonObject {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.input as JsonObject },
    ...tool.extra,
  };
}

export function wrapForGeminiJsonSchema(tool: UnhintedTool): JsonObject {
  return {
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: tool.input as JsonObject,
    ...tool.extra,
  };
}

/** Builds an entry of `tools/list`. Each hint is stated: clients distrust tools that leave them to the defaults. */
export function wrapForMcp(tool: WireTool): JsonObject {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: tool.input as JsonObject,
    ...(tool.output === undefined ? {} : { outputSchema: tool.output as JsonObject }),
    annotations: {
      ...(tool.title === undefined ? {} : { title: tool.title }),
      readOnlyHint: tool.hints.readOnly,
      destructiveHint: tool.hints.destructive,
      idempotentHint: tool.hints.idempotent,
      openWorldHint: tool.hints.openWorld,
    },
    ...tool.extra,
  };
}

/** Leaves out an output schema whose root is not an object: this revision takes no other. */
export function wrapForMcp2025(tool: WireTool): JsonObject {
  const { output, ...others } = tool;
  const isObject = typeof output === "object" && output.type === "object";
  return wrapForMcp(isObject ? tool : others);
}

export function wrapForOpenaiChat(tool: UnhintedTool): JsonObject {
  return {
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.input as JsonObject,
      strict: tool.strict ?? false,
    },
    ...tool.extra,
  };
}

/** Builds an entry of the Responses API. Without `strict` the server would rewrite the schema. */
export function wrapForOpenaiResponses(tool: UnhintedTool): JsonObject {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: tool.input as JsonObject,
    strict: tool.strict ?? false,
    ...(tool.deferred ? { defer_loading: true } : {}),
    ...tool.extra,
  };
}

/** The tools of each namespace, by their names in a list. */
export interface Namespaces {
  readonly [namespace: string]: readonly string[];
}

/** Groups the entries of a list of the Responses API into namespaces. Entries outside all of them come last. */
export function wrapInNamespaces<Entry extends object>(
  list: readonly Entry[],
  namespaces: Namespaces,
): (Entry | { type: "namespace"; name: string; description: string; tools: Entry[] })[] {
  const nameOf = (entry: Entry): string => String((entry as { readonly name?: unknown }).name);
  const grouped = Object.entries(namespaces).flatMap(([name, names]) => {
    const tools = list.filter((entry) => names.includes(nameOf(entry)));
    const description = `Tools: ${tools.map(nameOf).join(", ")}.`;
    return tools.length === 0 ? [] : [{ type: "namespace" as const, name, description, tools }];
  });
  const inSome = new Set(Object.values(namespaces).flat());
  return [...grouped, ...list.filter((entry) => !inSome.has(nameOf(entry)))];
}

export function wrapForAiSdk(tool: UnhintedTool): JsonObject {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input as JsonObject,
    strict: tool.strict ?? false,
    ...(tool.examples === undefined || tool.examples.length === 0
      ? {}
      : { inputExamples: tool.examples.map((input) => ({ input })) }),
    ...(tool.extra === undefined ? {} : { providerOptions: tool.extra }),
  };
}
