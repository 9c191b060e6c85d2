import { toolsetMembers } from "../../../model/toolset-members.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** With more than these, deferring the rest is pointless: models choose worse from longer lists. */
const MOST = 10;

export const manyAlwaysLoaded: Rule = defineRule({
  id: "size/many-always-loaded",
  severity: "warning",
  summary: `At most ${MOST} tools of a toolset are always loaded.`,
  why:
    "alwaysLoad is for the few tools that a model must know before its first search. Where every team marks its own tools, " +
    "deferral saves nothing: each request carries them all.",
  messages: {
    many: '{count} tools of the toolset "{toolset}" are always loaded. Keep alwaysLoad for what a model needs in its first turn.',
  },
  examples: {
    bad: [
      {
        spec: alwaysLoadedTools(MOST + 1),
        reports: ["many"],
      },
    ],
    good: [alwaysLoadedTools(MOST)],
  },
  checkProject({ tools }, { plan, report }) {
    for (const toolset of toolsetMembers(tools, plan.toolsets)) {
      const loaded = toolset.tools.filter(({ metadata }) => metadata.visibility.alwaysLoad);
      const [first] = loaded;
      if (first === undefined || loaded.length <= MOST) continue;
      const [location, ...others] = loaded.map((tool) => tool.locate("/visibility/alwaysLoad"));
      if (location === undefined) continue;
      const related = others.map((each) => ({ location: each, message: "always loaded, too" }));
      report("many", { tool: first, location, related }, { count: loaded.length, toolset: toolset.name });
    }
  },
});

function alwaysLoadedTools(count: number): string {
  const tools = Array.from({ length: count }, (_, index) => {
    const [first, second] = [Math.floor(index / 4), index % 4].map((digit) => "abcd"[digit] ?? "");
    return `  - { name: step_${first}${second}, description: Do step ${first}${second}., input: { type: object, properties: {} }, visibility: { alwaysLoad: true } }`;
  });
  return yaml`
    hasp: 1
    tools:
  `.concat(tools.join("\n"), "\n");
}
