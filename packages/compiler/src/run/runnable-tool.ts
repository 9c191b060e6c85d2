import { dropUndefined } from "@hasp/base/json";
import { flagsOfRow } from "@hasp/runtime/contract";
import type { CompiledPredicate } from "../model/conditions.js";
import { collectSpecData, isLoadedOnFirstCall, readIsolation } from "./spec-data.js";
import type { HandlerKinds } from "../handlers/kinds.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { PredicateData, RunnableTool } from "./runnable-spec.js";

/** Returns the content of a tool's generated module, without its forms for providers. */
export function createRunnableTool(
  tool: FlatTool,
  handlerFile: string,
  { connections }: Pick<CompilePlan, "connections">,
  kinds: HandlerKinds,
): RunnableTool {
  const isolation = readIsolation(tool);
  const stated = Object.entries(collectSpecData(tool, handlerFile, connections, kinds)).filter(
    ([, value]) => value !== undefined,
  );
  return {
    isLoadedOnFirstCall: isLoadedOnFirstCall(tool),
    ...dropUndefined({ isolation }),
    spec: Object.fromEntries(stated) as unknown as RunnableTool["spec"],
    ...(tool.destination && { destination: tool.destination.expression }),
    ...listConditions(tool),
  };
}

/** Returns the conditions of a tool as data. */
export function listConditions({
  rules,
  flags,
  checks,
}: Pick<FlatTool, "rules" | "flags" | "checks">): Pick<RunnableTool, "rules" | "flags" | "checks"> {
  return {
    rules: rules.map((rule) => ({ when: dataOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    flags: flags.map(({ flag, polarity, predicate }) => ({ flag, polarity, predicate: dataOf(predicate) })),
    checks: checks.map(({ that, message = "" }) => ({ that: dataOf(that), message })),
  };
}

function dataOf(predicate: CompiledPredicate): PredicateData {
  return predicate.kind === "custom" ? { custom: predicate.name } : { expression: predicate.expression };
}
