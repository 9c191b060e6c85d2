import { checkRequest, type DialectId, dialects, strictVariant } from "@hasp/schema";
import type { LoweredTool } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";
import type { SelectedToolset } from "./select-toolsets.js";

/** A tool that was lowered strictly, and whether it must be or only may. */
export interface StrictTool {
  readonly lowered: LoweredTool;
  readonly isByChoice: boolean;
}

/**
 * The tools whose strict mode a provider's budgets have no room for, among those that are strict by choice. By name, each
 * tool stays strict that fits into every toolset which has it, beside those that must be strict.
 */
export function beyondStrictBudget(
  strictTools: readonly StrictTool[],
  toolsets: readonly SelectedToolset[],
  id: DialectId,
): ReadonlySet<FlatTool> {
  const strict = strictVariant(id);
  if (strict === undefined || !hasStrictBudget(strict)) return new Set();
  const accepted = new Map(toolsets.map((toolset) => [toolset, [] as LoweredTool[]]));
  const toolsetsOf = (tool: FlatTool): readonly SelectedToolset[] => toolsets.filter(({ tools }) => tools.includes(tool));
  const accept = (lowered: LoweredTool): void => {
    for (const toolset of toolsetsOf(lowered.tool)) accepted.get(toolset)?.push(lowered);
  };
  for (const { lowered } of strictTools.filter(({ isByChoice }) => !isByChoice)) accept(lowered);
  const beyond = new Set<FlatTool>();
  for (const { lowered } of strictTools.filter(({ isByChoice }) => isByChoice)) {
    const fits = toolsetsOf(lowered.tool).every((toolset) => isWithinBudget([...(accepted.get(toolset) ?? []), lowered], strict));
    if (fits) accept(lowered);
    else beyond.add(lowered.tool);
  }
  return beyond;
}

function hasStrictBudget(id: DialectId): boolean {
  const { strictTools, optionalProperties, unionProperties } = dialects[id].limits;
  return [strictTools, optionalProperties, unionProperties].some((limit) => limit !== undefined);
}

function isWithinBudget(tools: readonly LoweredTool[], id: DialectId): boolean {
  return requestProblems(tools, id).length === 0;
}

/** What forbids sending these tools in one request, in words. */
export function requestProblems(tools: readonly LoweredTool[], id: DialectId): readonly string[] {
  const { optionalProperties, unionProperties, requestProperties } = dialects[id].limits;
  // Counting properties is the greater part of the work: it is done only where somebody bounds them.
  const isCounted = [optionalProperties, unionProperties, requestProperties].some((limit) => limit !== undefined);
  const request = tools.map(({ tool, wireName, strict, lowering }) => ({
    name: wireName,
    description: tool.spec.description,
    schema: isCounted ? (lowering.schema ?? true) : true,
    strict,
  }));
  return checkRequest(request, id)
    .filter(({ tool }) => tool === undefined)
    .map(({ message }) => message);
}
