import { createRequestBudget, type Dialect, type RequestBudget } from "@hasp/schema";
import type { ListMember } from "../../model/lowered.js";
import type { SelectableTool, ToolsetMembers } from "../../model/toolset-members.js";

export type Obstacles = ReadonlyMap<string, string>;

/** Finds the tools that are strict by choice and whose strict mode exceeds the provider's limits in some toolset. */
export function findStrictOverflow(
  members: readonly ListMember[],
  toolsets: readonly ToolsetMembers<SelectableTool>[],
  dialect: Dialect,
): Obstacles {
  const strict = members.filter((member) => member.strict);
  const requests = toolsets.map(({ tools }) => ({
    names: new Set(tools.map(({ name }) => name)),
    budget: createRequestBudget(dialect, { isOfStrictTools: true }),
  }));
  const budgetsOf = ({ name }: ListMember): readonly RequestBudget[] =>
    requests.filter(({ names }) => names.has(name)).map(({ budget }) => budget);
  for (const member of strict) {
    if (!member.isStrictByChoice) for (const budget of budgetsOf(member)) budget.add(member);
  }
  return withoutRoom(
    strict.filter((member) => member.isStrictByChoice),
    budgetsOf,
  );
}

/** Finds the tools of one list that do not fit into a request beside those before them. */
export function findListOverflow(members: readonly ListMember[], dialect: Dialect): Obstacles {
  const budgets = [createRequestBudget(dialect)];
  return withoutRoom(members, () => budgets);
}

/** The order in which tools are given room. Names decide among equals. */
const RANKS = { always: 0, normal: 1, deferred: 2 };

/** Gives each tool room in its budgets, or finds why there is none. A smaller tool may still fit after a large one. */
function withoutRoom(
  members: readonly ListMember[],
  budgetsOf: (member: ListMember) => readonly RequestBudget[],
): Obstacles {
  const obstacles = new Map<string, string>();
  for (const member of members.toSorted((left, right) => RANKS[left.load] - RANKS[right.load])) {
    const budgets = budgetsOf(member);
    const obstacle = budgets.map((budget) => budget.obstacleTo(member)).find((each) => each !== undefined);
    if (obstacle === undefined) for (const budget of budgets) budget.add(member);
    else obstacles.set(member.name, obstacle.message);
  }
  return obstacles;
}
