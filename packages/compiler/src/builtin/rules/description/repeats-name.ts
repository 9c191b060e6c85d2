import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const repeatsName: Rule = defineRule({
  id: "description/repeats-name",
  severity: "info",
  summary: "A description says more than the name it describes.",
  why:
    "`issue_number: The issue number` costs tokens in every request and tells a model nothing: not whose number, where it comes " +
    "from, or what it looks like.",
  messages: {
    repeats:
      'This description only repeats the name "{name}". Say what the name does not: which one, where it comes from, its form.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: close_page
          description: Close page.
          input: { type: object, properties: { issue_number: { type: integer, description: The issue number } } }
        `,
        reports: ["repeats", "repeats"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: close_page
        description: Close the current page of the browser.
        input: { type: object, properties: { issue_number: { type: integer, description: "Number of the issue, without #." } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (isSame(tool.spec.description, tool.name)) {
      report("repeats", { location: tool.locate("/description") }, { name: tool.name });
    }
    return {
      parameter({ property, description, pointer }) {
        if (!isSame(description, property)) return;
        report("repeats", { location: tool.input.locate(`${pointer}/description`) }, { name: property });
      },
    };
  },
});

function isSame(text: string, name: string): boolean {
  return text !== "" && keepLetters(text.replaceAll(/\b(?:the|an?)\b/giu, "")) === keepLetters(name);
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
