import { groupBy } from "@hasp/base/json";
import type { SchemaNode } from "../../../model/schemas.js";
import { reporting, spec } from "../reading/example-spec.js";
import { type Parameter, defineRule, type Rule } from "../../../plugins/rule.js";
import type { SchemaObject } from "@hasp/schema";

export const duplicate: Rule = defineRule({
  id: "description/duplicate",
  severity: "warning",
  summary: "No two tools, and no two parameters of one object, have the same description.",
  why: "Models choose by descriptions. Where two of them are the same, the choice is a guess; usually one was copied and never adapted.",
  messages: {
    tools: "The tools {names:quoted} have the same description. Say how they differ, or merge them.",
    parameters: '"{name}" and "{other}" have the same description. Say how they differ.',
  },
  examples: {
    bad: [
      reporting("tools")`
        tools:
          - { name: weather_from_google, description: Returns the temperature outside., input: { type: object, properties: {} } }
          - { name: weather_from_station, description: Returns the temperature outside., input: { type: object, properties: {} } }
      `,
      reporting("parameters")`
        name: drag
        description: Drag one element onto another.
        input:
          type: object
          properties:
            startTarget: { type: string, description: Reference of the element }
            endTarget: { type: string, description: Reference of the element. }
      `,
    ],
    good: [
      spec`
        name: drag
        description: Drag one element onto another.
        input:
          type: object
          properties:
            start: { type: string, description: Reference of the element to drag. }
            end: { type: string, description: Reference of the element to drop it on. }
            options: { type: object, properties: { start: { type: string, description: Reference of the element to drag. } } }
      `,
    ],
  },
  checkProject({ tools }, { report }) {
    for (const same of groupBy(tools, ({ spec }) => plain(spec.description)).values()) {
      const [tool, ...others] = same;
      if (tool === undefined || others.length === 0) continue;
      const related = others.map((other) => ({ location: other.locate("/description"), message: other.name }));
      const location = tool.locate("/description");
      report("tools", { tool, location, related }, { names: same.map(({ name }) => name) });
    }
  },
  visitTool(tool, { report }) {
    const seen = new Map<SchemaNode | undefined, Map<string, Parameter>>();
    return {
      parameter(parameter) {
        const { parent, description, property } = parameter;
        if (description === "") return;
        const beside = seen.get(parent) ?? new Map<string, Parameter>();
        seen.set(parent, beside);
        const text = plain(description);
        const first = beside.get(text);
        if (first === undefined) {
          beside.set(text, parameter);
          return;
        }
        const location = tool.input.locate(`${parameter.pointer}/description`);
        const other = tool.input.locate(`${first.pointer}/description`);
        // Two references to one definition share their text on purpose.
        if (other.uri === location.uri && other.range.start.offset === location.range.start.offset) return;
        const related = [{ location: other, message: "the other one" }];
        report("parameters", { location, related }, { name: property, other: first.property });
      },
    };
  },
});

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s{2,}|[^\S ]/gu, " ")
    .replace(/[\s.]+$/u, "");
}

export const repeatsName: Rule = defineRule({
  id: "description/repeats-name",
  severity: "info",
  summary: "A description says more than the name it describes.",
  why:
    "`issue_number: The issue number` costs tokens in every request and tells a model nothing: not whose number, where it comes " +
    "from, or what it looks like.",
  messages: {
    repeats:
      'This description only repeats the name "{name}". Say what the name does not: which one, where it comes from, its form.',
  },
  examples: {
    bad: [
      reporting("repeats", "repeats")`
        name: close_page
        description: Close page.
        input: { type: object, properties: { issue_number: { type: integer, description: The issue number } } }
      `,
    ],
    good: [
      spec`
        name: close_page
        description: Close the current page of the browser.
        input: { type: object, properties: { issue_number: { type: integer, description: "Number of the issue, without #." } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (isSame(tool.spec.description, tool.name)) {
      report("repeats", { location: tool.locate("/description") }, { name: tool.name });
    }
    return {
      parameter({ property, description, pointer }) {
        if (!isSame(description, property)) return;
        report("repeats", { location: tool.input.locate(`${pointer}/description`) }, { name: property });
      },
    };
  },
});

function isSame(text: string, name: string): boolean {
  return text !== "" && keepLetters(text.replaceAll(/\b(?:the|an?)\b/giu, "")) === keepLetters(name);
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

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
