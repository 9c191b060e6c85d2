import type { FlatTool } from "../../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import { promptTokens } from "../../../tokens/prompt-tokens.js";
import { toolsetMembers } from "../../../model/toolset-members.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const overBudget: Rule = defineRule({
  id: "size/over-budget",
  severity: "error",
  summary: "Tools and toolsets stay within the configured token budgets.",
  why:
    "Every listed tool costs tokens in every request, and models choose worse from longer lists. A budget in the " +
    "configuration makes growth a decision. Counts are estimates of the serialised JSON; providers add their own framing.",
  messages: {
    tool: "This tool costs about {tokens} tokens in every request, more than the budget of {budget}. Shorten its descriptions, defer it, or raise budgets.toolTokens.",
    toolset:
      'The toolset "{toolset}" costs about {tokens} tokens in every request, more than the budget of {budget}; this is its largest tool. Defer tools, split the toolset, or raise budgets.toolsetTokens.',
    "always-loaded":
      'The tools of the toolset "{toolset}" that are always loaded cost about {tokens} tokens in every request, more than the budget of {budget}; this is the largest of them. Take alwaysLoad from some, or raise budgets.alwaysLoadedTokens.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: search
          description: Search all of the documents in all of the folders of all of the users.
          input: { type: object, properties: { a: { type: string, description: Words that shall be found in the documents. } } }
        `,
        reports: ["tool", "toolset"],
        plan: { budgets: { toolTokens: 20, toolsetTokens: 30 } },
      },
      {
        spec: yaml`
          hasp: 1
          tools:
            - { name: ask, description: Ask the user one question and wait for the answer., input: { type: object, properties: {} }, visibility: { alwaysLoad: true } }
            - { name: look_up, description: Look a record up., input: { type: object, properties: {} }, visibility: { shouldDefer: true }, searchHint: record }
        `,
        reports: ["always-loaded"],
        plan: { budgets: { alwaysLoadedTokens: 10 } },
      },
    ],
    good: [
      {
        spec: yaml`
          hasp: 1
          name: search
          description: Search.
          input: { type: object, properties: {} }
        `,
        plan: { budgets: { toolTokens: 200, toolsetTokens: 300 } },
      },
    ],
  },
  checkProject({ tools }, { plan, report }) {
    const { toolTokens, toolsetTokens, alwaysLoadedTokens } = plan.budgets;
    if (toolTokens === undefined && toolsetTokens === undefined && alwaysLoadedTokens === undefined) return;
    const costs = new Map(tools.map((tool) => [tool, promptTokens(tool, plan)]));
    for (const [tool, tokens] of costs) {
      if (toolTokens === undefined || tokens <= toolTokens) continue;
      report("tool", { tool, location: tool.locate("/name") }, { tokens, budget: toolTokens });
    }
    const checkTogether = (
      name: "toolset" | "always-loaded",
      toolset: string,
      members: readonly FlatTool[],
      budget: number | undefined,
    ): void => {
      const tokens = members.reduce((sum, tool) => sum + (costs.get(tool) ?? 0), 0);
      const [largest] = members.toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0));
      if (budget === undefined || tokens <= budget || largest === undefined) return;
      report(name, { tool: largest, location: largest.locate("/name") }, { toolset, tokens, budget });
    };
    for (const toolset of toolsetMembers(tools, plan.toolsets)) {
      checkTogether(
        "toolset",
        toolset.name,
        toolset.tools.filter(({ metadata }) => !metadata.visibility.shouldDefer),
        toolsetTokens,
      );
      checkTogether(
        "always-loaded",
        toolset.name,
        toolset.tools.filter(({ metadata }) => metadata.visibility.alwaysLoad),
        alwaysLoadedTokens,
      );
    }
  },
});
