import { yaml } from "../reading/example-spec.js";
import { promptTokens } from "../../../tokens/prompt-tokens.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Tools with fewer tokens may always be loaded. */
const LARGE = 200;

export const alwaysLoaded: Rule = defineRule({
  id: "size/always-loaded",
  severity: "info",
  summary: "A tool that is always loaded is small.",
  why:
    "alwaysLoad keeps a tool in every request, even if all others are deferred. Every turn of every session pays for it, so a " +
    "large tool needs a reason.",
  messages: {
    large:
      "This tool costs about {tokens} tokens in every request. Shorten it, defer it, or suppress this finding with a reason.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
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
          visibility: { alwaysLoad: true }
        `,
        reports: ["large"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: ask
        description: Ask the user.
        input: { type: object, properties: {} }
        visibility: { alwaysLoad: true }
      `,
    ],
  },
  checkTool(tool, { plan, report }) {
    if (!tool.metadata.visibility.alwaysLoad) return;
    const tokens = promptTokens(tool, plan);
    if (tokens > LARGE) report("large", { location: tool.locate("/visibility/alwaysLoad") }, { tokens });
  },
});
