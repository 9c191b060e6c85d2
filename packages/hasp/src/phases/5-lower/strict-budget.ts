import { checkRequestTotals, type DialectId, dialects, strictVariant } from "@hasp/schema";
import type { ListMember } from "../../model/lowered.js";
import type { SelectableTool, ToolsetMembers } from "../../model/toolset-members.js";

/**
 * The names of the tools whose strict mode a provider's budgets have no room for, among those that are strict by
 * choice. By name, each tool stays strict that fits into every toolset which has it, beside those that must be strict.
 */
export function beyondStrictBudget(
  members: readonly ListMember[],
  toolsets: readonly ToolsetMembers<SelectableTool>[],
  id: DialectId,
): ReadonlySet<string> {
  const strict = strictVariant(id);
  if (strict === undefined || !hasStrictBudget(strict)) return new Set();
  const accepted = toolsets.map(({ tools }) => ({
    names: new Set(tools.map(({ name }) => name)),
    members: [] as ListMember[],
  }));
  const accept = (member: ListMember): void => {
    for (const toolset of accepted) if (toolset.names.has(member.name)) toolset.members.push(member);
  };
  const strictMembers = members.filter((member) => member.strict);
  for (const member of strictMembers) if (!member.isStrictByChoice) accept(member);
  const beyond = new Set<string>();
  for (const member of strictMembers) {
    if (!member.isStrictByChoice) continue;
    const fits = accepted.every(
      (toolset) =>
        !toolset.names.has(member.name) || requestProblems([...toolset.members, member], strict).length === 0,
    );
    if (fits) accept(member);
    else beyond.add(member.name);
  }
  return beyond;
}

function hasStrictBudget(id: DialectId): boolean {
  const { strictTools, optionalProperties, unionProperties } = dialects[id].limits;
  return [strictTools, optionalProperties, unionProperties].some((limit) => limit !== undefined);
}

/** What forbids sending these tools in one request, in words. */
export function requestProblems(members: readonly ListMember[], id: DialectId): readonly string[] {
  return checkRequestTotals(members, id).map(({ message }) => message);
}

/** Whether the provider bounds what its tools have together, so that each must be counted. Counting is work. */
export function isCounted(id: DialectId): boolean {
  const { optionalProperties, unionProperties, requestProperties } = dialects[id].limits;
  return [optionalProperties, unionProperties, requestProperties].some((limit) => limit !== undefined);
}
