import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const deferredWithoutHint: Rule = defineRule({
  id: "size/deferred-without-hint",
  severity: "warning",
  summary: "A deferred tool has a search hint.",
  why:
    "A model does not see a deferred tool until its search finds it, by name, description and hint. Without the words that a user would " +
    "use, the model may never find it.",
  messages: {
    "no-hint": "This tool is loaded only after a search has found it. Set searchHint to the words that should find it.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: edit_notebook
          description: Edit a cell.
          input: { type: object, properties: {} }
          visibility: { shouldDefer: true }
        `,
        reports: ["no-hint"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: edit_notebook
        description: Edit a cell.
        searchHint: jupyter notebook ipynb
        input: { type: object, properties: {} }
        visibility: { shouldDefer: true }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (!tool.metadata.visibility.shouldDefer || (tool.spec.searchHint ?? "").trim() !== "") return;
    report("no-hint", { location: tool.locate("/visibility/shouldDefer") });
  },
});
