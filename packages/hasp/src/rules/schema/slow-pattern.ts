import { findAttack } from "../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { schemaNodes } from "../reading/schema-nodes.js";
import { defineRule, type Rule } from "../rule.js";
import { escapeToken } from "../../model/json-pointer.js";

export const slowPattern: Rule = defineRule({
  id: "schema/slow-pattern",
  group: "schema",
  severity: "error",
  summary: "No text makes a pattern backtrack exponentially.",
  why:
    "The runtime holds every pattern of a schema against texts that a model has written, or that somebody has written for a model to " +
    "pass on. On a pattern such as ^(a+)+$ thirty characters stop the whole process for minutes. Reported only with a text that shows it.",
  messages: {
    slow: "The pattern {pattern} takes at least twice as long for each {pump} more between {prefix} and {suffix}. Let no two repetitions that stand inside or next to each other match the same characters.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: find
          description: Find.
          input: { type: object, properties: { name: { type: string, pattern: "^(a+)+$" } } }
        `,
        reports: ["slow"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: find
        description: Find.
        input: { type: object, properties: { name: { type: string, pattern: "^[a-z]+(?:-[a-z]+)*$", maxLength: 80 } } }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      for (const { pattern, pointer } of patternsOf(tool.input.schema)) {
        const attack = findAttack(pattern);
        if (attack === undefined) continue;
        const { prefix, pump, suffix } = attack;
        const parameters = {
          pattern: quoted(pattern),
          prefix: quoted(prefix),
          pump: quoted(pump),
          suffix: quoted(suffix),
        };
        report("slow", { tool, location: tool.input.locate(pointer) }, parameters);
      }
    }
  },
});

function quoted(text: string): string {
  return JSON.stringify(text);
}

function* patternsOf(
  schema: Parameters<typeof schemaNodes>[0],
): Generator<{ readonly pattern: string; readonly pointer: string }> {
  for (const { schema: each, pointer } of schemaNodes(schema)) {
    if (each.pattern !== undefined) yield { pattern: each.pattern, pointer: `${pointer}/pattern` };
    for (const pattern of Object.keys(each.patternProperties ?? {})) {
      yield { pattern, pointer: `${pointer}/patternProperties/${escapeToken(pattern)}` };
    }
  }
}
