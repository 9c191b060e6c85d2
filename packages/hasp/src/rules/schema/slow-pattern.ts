import { yaml } from "../reading/example-spec.js";
import { slowPatternsAt } from "../reading/slow-patterns.js";
import { defineRule, type Rule } from "../rule.js";

export const slowPattern: Rule = defineRule({
  id: "schema/slow-pattern",
  group: "schema",
  severity: "error",
  summary: "The runtime can match every pattern in linear time.",
  why:
    "The runtime tests patterns against strings that a model has written or passes on. It matches them without backtracking, so that " +
    "a pattern such as ^(a+)+$ cannot block the process. Back references cannot be matched that way, nor can patterns whose counted " +
    "repetitions multiply to tens of thousands of characters.",
  messages: {
    slow: "The pattern {pattern:json} cannot be matched in linear time, so one long string could block the process.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: find
          description: Find.
          input: { type: object, properties: { name: { type: string, pattern: '^(a|b)c\\1$' } } }
        `,
        reports: ["slow"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: find
        description: Find.
        input: { type: object, properties: { name: { type: string, pattern: "^(?:[a-z]+-?)+$", maxLength: 80 } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const help = "Write the pattern without back references, and with smaller counts.";
    return {
      input(node) {
        for (const { pattern, pointer } of slowPatternsAt(node)) {
          report("slow", { location: tool.input.locate(pointer), help }, { pattern });
        }
      },
    };
  },
});
