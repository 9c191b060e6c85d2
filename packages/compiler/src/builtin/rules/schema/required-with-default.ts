import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const requiredWithDefault: Rule = defineRule({
  id: "schema/required-with-default",
  severity: "warning",
  summary: "A parameter is required or has a default, not both.",
  why:
    "A default is for calls that leave a parameter out, and a required one must never be left out. Models read both and " +
    "may do either; each call that repeats the default costs tokens.",
  messages: {
    both: '"{name}" is required and has the default {value}. Remove it from "required", or remove the default.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: read_console
          description: Read the console.
          input:
            type: object
            required: [level]
            properties: { level: { enum: [error, info], default: info } }
        `,
        reports: ["both"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: read_console
        description: Read the console.
        input:
          type: object
          required: [kind]
          properties: { level: { enum: [error, info], default: info }, kind: { const: console, default: console } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter({ schema, pointer, property, isRequired }) {
        // A constant must be there to tell branches of a union apart.
        if (!isRequired || schema.default === undefined || Object.hasOwn(schema, "const")) return;
        const location = tool.input.locate(`${pointer}/default`);
        report("both", { location }, { name: property, value: JSON.stringify(schema.default) });
      },
    };
  },
});
