import { yaml } from "../reading/example-spec.js";
import { findUnstatedBound } from "../reading/stated-bounds.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Names of parameters for an amount. */
const AMOUNT =
  /^(?:limit|top_?k|per_?page|page_?size|batch_?size|max_?results?|max_?items|max_?rows|num_?results|result_?count)$/u;

export const unboundedLimit: Rule = defineRule({
  id: "size/unbounded-limit",
  severity: "info",
  summary: "A parameter that says how many results are wanted has a maximum.",
  why:
    "A model that wants to be thorough asks for 100000 rows. The result is cut off at the limit for results or fills the context, and the " +
    "service behind the tool does the work anyway.",
  messages: {
    unbounded: '"{name}" has no maximum. Add the largest number that this tool should return as "maximum".',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: get_tickets
          description: Get tickets.
          input: { type: object, properties: { limit: { type: integer, description: How many tickets to return. } } }
        `,
        reports: ["unbounded"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: get_tickets
        description: Get tickets.
        input:
          type: object
          properties: { limit: { type: integer, maximum: 100, description: How many. }, creditLimit: { type: integer, description: In euros. } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, types, property, pointer } = parameter;
        const name = property.replaceAll(/([a-z])([A-Z])/gu, "$1_$2").toLowerCase();
        if (!AMOUNT.test(name) || !(types.has("integer") || types.has("number")) || types.size > 1) return;
        if ([schema.maximum, schema.exclusiveMaximum, schema.enum, schema.const].some((each) => each !== undefined)) {
          return;
        }
        // A bound in prose has its own finding.
        if (findUnstatedBound(parameter) !== undefined) return;
        report("unbounded", { location: tool.input.locate(pointer, "key") }, { name: property });
      },
    };
  },
});
