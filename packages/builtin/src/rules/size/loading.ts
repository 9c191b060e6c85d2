import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { countPromptTokens } from "@hasp/compiler/tokens";
import { listToolsetMembers } from "@hasp/compiler/model";

/** Tools with fewer tokens may always be loaded. */
const LARGE_TOOL = 200;

export const alwaysLoaded: Rule = defineRule({
  id: "size/always-loaded",
  severity: "info",
  summary: "A tool that is always loaded is small.",
  why:
    "A tool that is always loaded is in every request, even if all others are deferred. Every turn of every session pays for it, so a " +
    "large tool needs a reason.",
  messages: {
    large:
      "This tool costs about {tokens} tokens in every request. Shorten it, defer it, or suppress this finding with a reason.",
  },
  examples: {
    bad: [
      reporting("large")`
        name: ask
        description: Ask the user one question and wait for the answer.
        input:
          type: object
          properties:
            question: { type: string, description: The question that the user is to be asked. }
            background: { type: string, description: What the user should know before the question is put. }
            choices: { type: string, description: Answers to choose from; one answer on each line. }
            preselected: { type: string, description: The answer that is marked when the question appears. }
            deadline: { type: string, description: The time until which an answer is waited for. }
            language: { type: string, description: The language in which the question is to be put. }
            urgency: { type: string, description: How much the answer matters for what comes next. }
            audience: { type: string, description: Who among several users is to be asked first. }
            followUp: { type: string, description: The question that is asked when the answer is no. }
        visibility: always
      `,
    ],
    good: [
      spec`
        name: ask
        description: Ask the user.
        input: { type: object, properties: {} }
        visibility: always
      `,
    ],
  },
  checkTool(tool, { plan, report }) {
    if (tool.metadata.visibility.load !== "always") return;
    const tokens = countPromptTokens(tool, plan);
    if (tokens > LARGE_TOOL) report("large", { location: tool.locate("/visibility/load") }, { tokens });
  },
});

/** With more than these, deferring the rest is pointless: models choose worse from longer lists. */
const MOST_ALWAYS_LOADED = 10;

export const manyAlwaysLoaded: Rule = defineRule({
  id: "size/many-always-loaded",
  severity: "warning",
  summary: `At most ${MOST_ALWAYS_LOADED} tools of a toolset are always loaded.`,
  why:
    "`load: always` is for the few tools that a model must know before its first search. Where every team marks its own tools, " +
    "deferral saves nothing: each request carries them all.",
  messages: {
    many: '{count} tools of the toolset "{toolset}" are always loaded. Keep `load: always` for what a model needs in its first turn.',
  },
  examples: {
    bad: [
      {
        spec: alwaysLoadedTools(MOST_ALWAYS_LOADED + 1),
        reports: ["many"],
      },
    ],
    good: [alwaysLoadedTools(MOST_ALWAYS_LOADED)],
  },
  checkProject({ tools }, { plan, report }) {
    for (const toolset of listToolsetMembers(tools, plan.toolsets)) {
      const loaded = toolset.tools.filter(({ metadata }) => metadata.visibility.load === "always");
      const [first] = loaded;
      if (first === undefined || loaded.length <= MOST_ALWAYS_LOADED) continue;
      const [location, ...others] = loaded.map((tool) => tool.locate("/visibility/load"));
      if (location === undefined) continue;
      const related = others.map((each) => ({ location: each, message: "always loaded, too" }));
      report("many", { tool: first, location, related }, { count: loaded.length, toolset: toolset.name });
    }
  },
});

function alwaysLoadedTools(count: number): string {
  const tools = Array.from({ length: count }, (_, index) => {
    const [first, second] = [Math.floor(index / 4), index % 4].map((digit) => "abcd"[digit] ?? "");
    return `  - { name: step_${first}${second}, description: Do step ${first}${second}., input: { type: object, properties: {} }, visibility: always }`;
  });
  return spec`
    tools:
  `.concat(tools.join("\n"), "\n");
}

export const deferredWithoutHint: Rule = defineRule({
  id: "size/deferred-without-hint",
  severity: "warning",
  summary: "A deferred tool has a search hint.",
  why:
    "A model does not see a deferred tool until its search finds it, by name, description and hint. Without the words that a user would " +
    "use, the model may never find it.",
  messages: {
    "no-hint":
      "This tool is loaded only after a search has found it. Set visibility.searchHint to the words that should find it.",
  },
  examples: {
    bad: [
      reporting("no-hint")`
        name: edit_notebook
        description: Edit a cell.
        input: { type: object, properties: {} }
        visibility: deferred
      `,
    ],
    good: [
      spec`
        name: edit_notebook
        description: Edit a cell.
        input: { type: object, properties: {} }
        visibility: { load: deferred, searchHint: jupyter notebook ipynb }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (tool.metadata.visibility.load !== "deferred" || (tool.spec.visibility?.searchHint ?? "").trim() !== "") return;
    report("no-hint", { location: tool.locate("/visibility/load") });
  },
});
