import { sumBy } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { countPromptTokens } from "@hasp/compiler/tokens";
import { listToolsetMembers } from "@hasp/compiler/model";

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
      'The tools of the toolset "{toolset}" that are always loaded cost about {tokens} tokens in every request, more than the budget of {budget}; this is the largest of them. Let some load normally, or raise budgets.alwaysLoadedTokens.',
  },
  examples: {
    bad: [
      {
        spec: spec`
          name: search
          description: Search all of the documents in all of the folders of all of the users.
          input: { type: object, properties: { a: { type: string, description: Words that shall be found in the documents. } } }
        `,
        reports: ["tool", "toolset"],
        plan: { budgets: { toolTokens: 20, toolsetTokens: 30 } },
      },
      {
        spec: spec`
          tools:
            - { name: ask, description: Ask the user one question and wait for the answer., input: { type: object, properties: {} }, visibility: always }
            - { name: look_up, description: Look a record up., input: { type: object, properties: {} }, visibility: { load: deferred, searchHint: record } }
        `,
        reports: ["always-loaded"],
        plan: { budgets: { alwaysLoadedTokens: 10 } },
      },
    ],
    good: [
      {
        spec: spec`
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
    const costs = new Map(tools.map((tool) => [tool, countPromptTokens(tool, plan)]));
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
      const tokens = sumBy(members, (tool) => costs.get(tool) ?? 0);
      const [largest] = members.toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0));
      if (budget === undefined || tokens <= budget || largest === undefined) return;
      report(name, { tool: largest, location: largest.locate("/name") }, { toolset, tokens, budget });
    };
    for (const toolset of listToolsetMembers(tools, plan.toolsets)) {
      checkTogether(
        "toolset",
        toolset.name,
        toolset.tools.filter(({ metadata }) => metadata.visibility.load !== "deferred"),
        toolsetTokens,
      );
      checkTogether(
        "always-loaded",
        toolset.name,
        toolset.tools.filter(({ metadata }) => metadata.visibility.load === "always"),
        alwaysLoadedTokens,
      );
    }
  },
});

/** Characters. One provider refuses longer descriptions of tools. */
const MOST_OF_TOOL = 1024;
const MOST_OF_PARAMETER = 600;

export const longDescription: Rule = defineRule({
  id: "size/long-description",
  severity: "info",
  summary: `A tool's description has at most ${MOST_OF_TOOL} characters, a parameter's ${MOST_OF_PARAMETER}.`,
  why:
    "Every request carries every description. A long one pays for a manual that most calls do not need, and hides the sentence " +
    "that matters. Manuals belong in the answer of a tool that is asked for them, or in the message of a failed check.",
  messages: {
    long: "This description has {length} characters, more than {most}. Keep what a model needs to choose and to fill in; move the rest to where it is needed.",
  },
  examples: {
    bad: [
      {
        spec: `hasp: 1
name: think
description: Think. ${"Say what you think. ".repeat(60)}
input: { type: object, properties: { thought: { type: string, description: A thought. ${"Say what you think. ".repeat(40)}} } }
`,
        reports: ["long", "long"],
      },
    ],
    good: [
      spec`
        name: think
        description: Write down the next step of a longer thought.
        input: { type: object, properties: { thought: { type: string, description: The next step. } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const { length } = tool.spec.description;
    if (length > MOST_OF_TOOL) {
      report("long", { location: tool.locate("/description") }, { length, most: MOST_OF_TOOL });
    }
    return {
      parameter({ description, pointer }) {
        if (description.length <= MOST_OF_PARAMETER) return;
        const location = tool.input.locate(`${pointer}/description`);
        report("long", { location }, { length: description.length, most: MOST_OF_PARAMETER });
      },
    };
  },
});
