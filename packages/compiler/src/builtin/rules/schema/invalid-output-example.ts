import { yaml } from "../reading/example-spec.js";
import { createAnnotationCheck } from "../reading/refused-annotations.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

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
      {
        spec: yaml`
          hasp: 1
          name: get_invoice
          description: Get an invoice.
          input: { type: object, properties: {} }
          output: { type: object, properties: { total: { type: integer, examples: ["12.50"] } } }
        `,
        reports: ["refused"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: get_invoice
        description: Get an invoice.
        input: { type: object, properties: {} }
        output: { type: object, properties: { total: { type: string, examples: ["12.50"] } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (tool.output === undefined) return {};
    const refusedAt = createAnnotationCheck(tool.output);
    return {
      output(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});
