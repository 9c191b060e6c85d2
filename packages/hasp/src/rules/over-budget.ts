import { yaml } from "./reading/example-spec.js";
import { promptTokens } from "./reading/prompt-cost.js";
import { toolsetMembers } from "./reading/toolset-members.js";
import { defineRule, type Rule } from "./rule.js";

export const overBudget: Rule = defineRule({
  id: "size/over-budget",
  group: "size",
  severity: "error",
  summary: "Tools and toolsets keep to the token budgets of the configuration.",
  why:
    "Every tool of a list is paid for with every request, and the longer the list, the worse a model chooses from it. A budget in the " +
    "configuration makes growth a decision. Counts are estimates of the serialised JSON; providers add their own framing.",
  messages: {
    tool: (p: { tokens: number; budget: number }) =>
      `This tool costs about ${p.tokens} tokens in every request, more than the budget of ${p.budget}. Shorten its descriptions, defer it, or raise budgets.toolTokens.`,
    toolset: (p: { toolset: string; tokens: number; budget: number; largest: string }) =>
      `The toolset "${p.toolset}" costs about ${p.tokens} tokens in every request, more than the budget of ${p.budget}; this is its largest tool. ` +
      `Defer tools, split the toolset, or raise budgets.toolsetTokens.`,
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
  check({ tools, plan }, report) {
    const { toolTokens, toolsetTokens } = plan.budgets;
    if (toolTokens === undefined && toolsetTokens === undefined) return;
    const costs = new Map(tools.map((tool) => [tool, promptTokens(tool)]));
    for (const [tool, tokens] of costs) {
      if (toolTokens === undefined || tokens <= toolTokens) continue;
      report("tool", { tool, location: tool.locate("/name") }, { tokens, budget: toolTokens });
    }
    if (toolsetTokens === undefined) return;
    for (const toolset of toolsetMembers(tools, plan)) {
      const listed = toolset.tools.filter((tool) => !tool.metadata.visibility.shouldDefer);
      const tokens = listed.reduce((sum, tool) => sum + (costs.get(tool) ?? 0), 0);
      const [largest] = listed.toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0));
      if (tokens <= toolsetTokens || largest === undefined) continue;
      const parameters = { toolset: toolset.name, tokens, budget: toolsetTokens, largest: largest.name };
      report("toolset", { tool: largest, location: largest.locate("/name") }, parameters);
    }
  },
});
