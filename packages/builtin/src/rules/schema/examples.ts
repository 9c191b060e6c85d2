import { createValidator } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import { createAnnotationCheck } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";
import { holds } from "@hasp/compiler/conditions";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

export const invalidOutputExample: Rule = defineRule({
  id: "schema/invalid-output-example",
  severity: "warning",
  summary: "Examples and defaults in an output schema match it.",
  why:
    "No model copies an example of an output, and no call fails because of it, so this is not an error: documents of large APIs are full of such " +
    "examples. Still, one of the two is wrong; if it is the schema, real results will be refused.",
  messages: {
    refused: "{what} does not match the output schema: {problem}",
  },
  examples: {
    bad: [
      reporting("refused")`
        name: get_invoice
        description: Get an invoice.
        input: { type: object, properties: {} }
        output: { type: object, properties: { total: { type: integer, examples: ["12.50"] } } }
      `,
    ],
    good: [
      spec`
        name: get_invoice
        description: Get an invoice.
        input: { type: object, properties: {} }
        output: { type: object, properties: { total: { type: string, examples: ["12.50"] } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (tool.output === undefined) return {};
    const refusedAt = createAnnotationCheck(tool.output, "output");
    return {
      output(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});

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
      reporting("refused", "refused", "refused-by-check")`
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
      reporting("refused")`
        name: list_files
        description: List files.
        input: { type: object, properties: { filter: { $ref: "#", default: {} } } }
      `,
    ],
    good: [
      spec`
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
    const refusedAt = createAnnotationCheck(tool.input, "input");
    return {
      input(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});

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
