import type { SchemaObject } from "@hasp/schema";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

/** Words that fit any tool. */
const EMPTY = new Set(
  (
    "a an the this that these it its any some all given specified certain of for to from in on by with and or as is are be your my " +
    "query run execute do perform process handle manage call invoke use make get fetch return provide allow help work request " +
    "tool function method helper utility util operation action task thing stuff data info information item object entity value " +
    "input output result response endpoint api service description something anything various general generic todo tbd"
  ).split(" "),
);

export const emptyWords: Rule = defineRule({
  id: "description/empty-words",
  severity: "warning",
  summary: "A tool's description has a word that does not fit every tool.",
  why:
    "A model chooses by the description, more than by the name. “Query.” and “Gets the data.” could be any tool, so the model guesses, " +
    "and a person who is asked to allow a call reads nothing.",
  messages: {
    empty: '"{description}" could be any tool. Say what "{name}" does, with what, and when to use it.',
  },
  examples: {
    bad: [
      reporting("empty")`
        name: query
        description: Query.
        input: { type: object, properties: {} }
      `,
      reporting("empty")`
        name: orders
        description: Gets the data and returns results.
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: query
        description: Query the orders.
        input: { type: object, properties: {} }
      `,
      spec`
        name: abfrage
        description: Bestellungen abfragen.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { description } = tool.spec;
    if (description.length > LONGEST) return;
    const words = description.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (!words.every(isEmpty)) return;
    report("empty", { location: tool.locate("/description") }, { description: description.trim(), name: tool.name });
  },
});

/** A longer text has other words. */
const LONGEST = 200;

function isEmpty(word: string): boolean {
  return [word, word.replace(/s$/u, ""), word.replace(/es$/u, "")].some((form) => EMPTY.has(form));
}

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
      reporting("undescribed", "undescribed")`
        name: resize_image
        description: Resize an image.
        input:
          type: object
          required: [width]
          properties: { width: { type: integer }, unit: { type: string } }
      `,
    ],
    good: [
      spec`
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
