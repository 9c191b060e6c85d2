import type { AnyTool } from "@hasp/runtime";
import type { CompileResult, LoweredTool, CompilePlan, Plugins } from "@hasp/compiler";
import { groupFormsByTool } from "@hasp/compiler/model";
import { sortBy, dropUndefined, isPlain } from "@hasp/base/json";
import { type EntryData, type RunnableTool, createRunnableTool } from "@hasp/compiler/run";
import { createLayout, handlerFile, chooseGeneratedNames } from "@hasp/compiler/layout";
import { findMissingVariables } from "./missing-variables.js";

export interface OfferConditions {
  readonly only: ReadonlySet<string> | undefined;
  /** Dangerous tools that are offered anyway. */
  readonly allowed: ReadonlySet<string>;
  /** `undefined` to skip the check for variables. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  /** True if somebody executes the calls of tools that are `external`. */
  readonly executesExternal: boolean;
}

export interface OfferedTools {
  readonly offered: readonly AnyTool[];
  readonly withheld: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Splits a registry into offered and withheld tools. Clients are untrusted: tools that must run alone, are destructive,
 * or need a person at this machine are offered by name only.
 */
export function selectOfferedTools(
  tools: readonly AnyTool[],
  { only, allowed, environment, executesExternal }: OfferConditions,
): OfferedTools {
  const offered: AnyTool[] = [];
  const withheld: { name: string; reason: string }[] = [];
  for (const tool of tools) {
    if (only?.has(tool.name) === false) {
      if (allowed.has(tool.name)) {
        withheld.push({ name: tool.name, reason: "it is allowed but not among the selected tools" });
      }
      continue;
    }
    const isAbandoned = tool.external === true && !executesExternal;
    const reason = isAbandoned ? ABANDONED : reasonToWithhold(tool, allowed.has(tool.name), environment);
    if (reason === undefined) offered.push(tool);
    else withheld.push({ name: tool.name, reason });
  }
  return { offered, withheld };
}

const ABANDONED = "somebody else executes its calls; write a server with createMcpHandler, and pass `external` to it";

function reasonToWithhold(
  tool: AnyTool,
  isAllowed: boolean,
  environment: OfferConditions["environment"],
): string | undefined {
  const missing = environment === undefined ? [] : findMissingVariables(tool, environment);
  if (missing.length > 0) return `it needs ${missing.join(", ")} in the environment`;
  if (isAllowed) return undefined;
  const { behavior, concurrency } = tool.metadata;
  const dangers = [
    ...(behavior.isDestructive ? ["may destroy"] : []),
    ...(concurrency.class === "UNSAFE" ? ["is UNSAFE"] : []),
    ...(behavior.requiresUserInteraction ? ["needs a person at this machine"] : []),
  ];
  return dangers.length === 0 ? undefined : `it ${dangers.join(" and ")}; pass --allow <tool> to offer it anyway`;
}

/** A tool that can be offered to MCP clients without its generated module. Plain data. */
export interface ServedTool {
  readonly tool: RunnableTool;
  readonly handler: string;
}

/**
 * Returns the tools of a compiled project in registry order, with their entries in MCP lists. Returns `undefined` if
 * JSON cannot carry them: then only the generated modules can.
 */
export function listServedTools(
  { tools, toolsets }: Pick<CompileResult, "tools" | "toolsets">,
  plan: CompilePlan,
  kinds: Plugins["handlerKinds"],
): readonly ServedTool[] | undefined {
  const layout = createLayout(plan);
  const allNames = chooseGeneratedNames(tools.map(({ name }) => name));
  const forms = groupFormsByTool(toolsets);
  const served: ServedTool[] = [];
  for (const tool of tools) {
    const names = allNames.get(tool.name);
    if (names === undefined) return undefined;
    const handler = handlerFile(tool, names, layout);
    const form = forms.get(tool.name)?.find(({ dialect }) => dialect === MCP);
    const entries = form?.kind === "listed" ? { entries: { [MCP]: entryOf(form.lowered) } } : {};
    served.push({ tool: { ...createRunnableTool(tool, handler, plan, kinds), ...entries }, handler });
  }
  const inOrder = sortBy(served, (each) => each.tool.spec.name);
  return isPlain(inOrder) ? inOrder : undefined;
}

const MCP = "mcp";

function entryOf({ tool, wireName, lowering: { codec }, definition }: LoweredTool): EntryData {
  return {
    ...(wireName === tool.name ? {} : { name: wireName }),
    ...dropUndefined({ codec }),
    definition,
  };
}
