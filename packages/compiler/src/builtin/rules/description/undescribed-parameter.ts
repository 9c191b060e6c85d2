import type { SchemaObject } from "@hasp/schema";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const undescribedParameter: Rule = defineRule({
  id: "description/undescribed-parameter",
  severity: "warning",
  summary: "Every parameter has a description, unless its values are written out.",
  why:
    "A model fills in a parameter from its description: what it means, its unit and format, and where the value comes " +
    "from. A name that is clear to its author can be unclear to everybody else.",
  messages: {
    undescribed: '"{name}" has no description; say briefly what it means, and its unit or format.',
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
            required: [width]
            properties: { width: { type: integer }, unit: { type: string } }
        `,
        reports: ["undescribed", "undescribed"],
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
          properties:
            width: { type: integer, description: In pixels. }
            fit: { enum: [cover, contain] }
            kind: { const: image }
            size: { anyOf: [{ description: In pixels., type: integer }, { description: A CSS length., type: string }] }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(node) {
        if (isDescribed(node.schema) || node.pointer.includes("/$defs/")) return;
        report("undescribed", { location: tool.input.locate(node.pointer, "key") }, { name: node.property });
      },
    };
  },
});

function isDescribed(schema: SchemaObject): boolean {
  if (isText(schema.description) || isText(schema.title)) return true;
  if (schema.enum !== undefined || Object.hasOwn(schema, "const") || schema.$ref !== undefined) return true;
  if (typeof schema.items === "object" && "description" in schema.items && isText(schema.items.description)) {
    return true;
  }
  return [schema.anyOf, schema.oneOf].some(
    (union) => union !== undefined && union.every((branch) => typeof branch === "object" && isDescribed(branch)),
  );
}

function isText(text: unknown): boolean {
  return typeof text === "string" && text.trim() !== "";
}
