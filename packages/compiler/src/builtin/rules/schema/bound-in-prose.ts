import { yaml } from "../reading/example-spec.js";
import { findUnstatedBound } from "../reading/stated-bounds.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const boundInProse: Rule = defineRule({
  id: "schema/bound-in-prose",
  severity: "warning",
  summary: "A bound that a description states is in the schema, too.",
  why:
    "A bound in words is a request; a bound in the schema is checked before the handler runs, and the model is told " +
    "what to correct. Otherwise, a call beyond it fails inside the handler or the service, with whatever error they give.",
  messages: {
    unchecked: '"{name}" is bounded only by its description ("{words}"). Add "{keyword}: {bound}" to its schema.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: list_channels
          description: List channels.
          input:
            type: object
            properties:
              limit: { type: number, description: "Number of channels to return (default 100, max 200)" }
              topic: { type: string, description: At most 80 characters. }
        `,
        reports: ["unchecked", "unchecked"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: list_channels
        description: List channels.
        input:
          type: object
          properties:
            limit: { type: integer, maximum: 200, description: "Number of channels to return (max 200)" }
            depth: { type: integer, description: How many levels to follow at most. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const found = findUnstatedBound(parameter);
        if (found === undefined) return;
        const location = tool.input.locate(parameter.pointer, "key");
        report("unchecked", { location }, { name: parameter.property, ...found });
      },
    };
  },
});
