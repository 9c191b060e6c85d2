import { createValidator } from "@hasp/schema";
import type { Location } from "../../../diagnostics/diagnostic.js";
import type { FlatTool } from "../../../model/tool.js";
import { holds } from "../../../cel/index.js";
import { yaml } from "../reading/example-spec.js";
import { createAnnotationCheck } from "../reading/refused-annotations.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const invalidExample: Rule = defineRule({
  id: "schema/invalid-example",
  severity: "error",
  summary: "The tool accepts every example and every default of its input.",
  why:
    "Models copy examples before they read schemas. An example that the tool refuses teaches them a call that fails, and costs a " +
    "turn each time; one that only a semantic check refuses does the same.",
  messages: {
    refused: "{what} does not match the tool's own schema: {problem}",
    "refused-by-check": 'This example fails the tool\'s own check "{message}".',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: resize_image
          description: Resize an image.
          input:
            type: object
            required: [width, height]
            properties:
              width: { type: integer, minimum: 1, examples: [0] }
              height: { type: integer }
          validate: [{ that: input.width >= input.height, message: landscape only }]
          examples:
            - input: { width: wide, height: 1 }
            - input: { width: 1, height: 2 }
        `,
        reports: ["refused", "refused", "refused-by-check"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: resize_image
        description: Resize an image.
        input:
          type: object
          required: [width]
          properties: { width: { type: integer, minimum: 1, examples: [640] }, fit: { enum: [cover, contain], default: cover } }
        examples: [{ input: { width: 1 } }]
      `,
    ],
  },
  visitTool(tool, { report }) {
    for (const finding of refusedExamples(tool)) {
      if (finding.kind === "schema") {
        report("refused", { location: finding.location }, { what: "This example", problem: finding.problem });
      } else report("refused-by-check", { location: finding.location }, { message: finding.problem });
    }
    const refusedAt = createAnnotationCheck(tool.input);
    return {
      input(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});

/** An example of the spec that the schema or a semantic check refuses. */
interface RefusedExample {
  readonly kind: "schema" | "check";
  readonly location: Location;
  readonly problem: string;
}

function refusedExamples(tool: FlatTool): readonly RefusedExample[] {
  const { examples = [] } = tool.spec;
  if (examples.length === 0) return [];
  const validate = createValidator(tool.input.schema, { defaults: true });
  return examples.flatMap(({ input }, index): RefusedExample[] => {
    const { errors, value } = validate(input);
    const [error] = errors;
    if (error !== undefined) {
      const location = tool.locate(`/examples/${index}/input${error.pointer}`);
      return [{ kind: "schema", location, problem: error.message }];
    }
    const failed = tool.checks.find(({ that }) => that.kind === "expression" && !holds(that, value));
    if (failed === undefined) return [];
    return [{ kind: "check", location: tool.locate(`/examples/${index}/input`), problem: failed.message ?? "" }];
  });
}
