import { problemOfBacktracking } from "../predicates/index.js";
import { yaml } from "./reading/example-spec.js";
import { escapeToken, schemaNodes } from "./reading/schema-nodes.js";
import { defineRule, type Rule } from "./rule.js";

export const slowPattern: Rule = defineRule({
  id: "schema/slow-pattern",
  group: "schema",
  severity: "warning",
  summary: "A pattern is proved free of catastrophic backtracking.",
  why:
    "The runtime holds every pattern of a schema against texts that a model has written, or that somebody has written for a model to " +
    "pass on. On a pattern such as ^(a+)+$ thirty characters stop the whole process for minutes.",
  messages: {
    slow: (p: { pattern: string; help: string }) =>
      `Some text may make the pattern ${p.pattern} backtrack without end. ${p.help}`,
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
    // Patterns recur, and proving one may take a while.
    const known = new Map<string, ReturnType<typeof problemOfBacktracking>>();
    for (const tool of tools) {
      for (const { pattern, pointer } of patternsOf(tool.input.schema)) {
        const problem = known.has(pattern) ? known.get(pattern) : problemOfBacktracking(pattern);
        known.set(pattern, problem);
        if (problem === undefined) continue;
        const parameters = { pattern: JSON.stringify(pattern), help: problem.help ?? "" };
        report("slow", { tool, location: tool.input.locate(pointer) }, parameters);
      }
    }
  },
});

function* patternsOf(schema: Parameters<typeof schemaNodes>[0]): Generator<{ readonly pattern: string; readonly pointer: string }> {
  for (const { schema: each, pointer } of schemaNodes(schema)) {
    if (each.pattern !== undefined) yield { pattern: each.pattern, pointer: `${pointer}/pattern` };
    for (const pattern of Object.keys(each.patternProperties ?? {})) {
      yield { pattern, pointer: `${pointer}/patternProperties/${escapeToken(pattern)}` };
    }
  }
}
