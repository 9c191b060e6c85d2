import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** A tool with more is usually several tools. */
const MOST_OPTIONAL = 12;

export const manyOptionalFields: Rule = defineRule({
  id: "schema/many-optional-fields",
  severity: "info",
  summary: `A tool has at most ${MOST_OPTIONAL} optional parameters in one object.`,
  why:
    "The model decides about each optional parameter in every call, and in strict modes it writes null for " +
    "each one that it does not use. Providers also limit their number per request. Two tools with fewer parameters are usually easier to use.",
  messages: {
    many: "{count} parameters of one object are optional; consider two tools, a union of the cases, or fewer parameters with defaults.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: search
          description: Search.
          input:
            type: object
            properties:
              { a: { const: 1 }, b: { const: 1 }, c: { const: 1 }, d: { const: 1 }, e: { const: 1 }, f: { const: 1 }, g: { const: 1 },
                h: { const: 1 }, i: { const: 1 }, j: { const: 1 }, k: { const: 1 }, l: { const: 1 }, m: { const: 1 } }
        `,
        reports: ["many"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: search
        description: Search.
        input: { type: object, properties: { a: { const: 1 }, b: { const: 1 } } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { schema } = tool.input;
    if (typeof schema === "boolean") return;
    const required = new Set(schema.required);
    const count = Object.keys(schema.properties ?? {}).filter((name) => !required.has(name)).length;
    if (count > MOST_OPTIONAL) report("many", { location: tool.input.locate("/properties", "key") }, { count });
  },
});
