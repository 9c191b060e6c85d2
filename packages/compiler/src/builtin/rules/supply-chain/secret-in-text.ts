import { yaml } from "../reading/example-spec.js";
import { locateText } from "../../../plugins/texts.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";
import { findSecret } from "../reading/secret-forms.js";

export const secretInText: Rule = defineRule({
  id: "supply-chain/secret-in-text",
  severity: "error",
  summary: "No text of a tool contains a secret.",
  why:
    "Descriptions, defaults and examples are sent to a model provider with every request and end in logs and transcripts. A secret " +
    "in one of them is no longer secret.",
  messages: {
    secret:
      "This looks like {what}, in {role}. Remove it, revoke it, and let the handler read it from the environment (needs.env).",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: query
          description: "Query. Connects to postgres://admin:hunter2hunter2@db.internal/app."
          input: { type: object, properties: {} }
        `,
        reports: ["secret"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: query
        description: "Query. The address has the form postgres://user:password@host/name; tokens begin with ghp_."
        input: { type: object, properties: {} }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      text(toolText) {
        const { text, role } = toolText;
        const what = findSecret(text);
        if (what !== undefined) {
          report(
            "secret",
            { location: locateText(tool, toolText) },
            { role: role === "a key" ? role : `"${role}"`, what },
          );
        }
      },
    };
  },
});
