import type { JsonValue } from "@hasp/schema";
import { yaml } from "../reading/example-spec.js";
import type { Parameter } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Phrases for a default that is a single value. */
const DEFAULT =
  /\bdefault(?:s? to|s| is| value is| value:|:|=)?[ \t]{0,2}(?:["'`](?<quoted>[^"'`\n]{1,40})["'`]|(?<bare>-?\d+(?:\.\d+)?|true|false))(?=[\s.,;)\]]*(?:$|[\s.,;)\]]))(?!\.\d)(?![\s]+(?:if|when|for|unless|in)\b)/iu;

export const defaultInProse: Rule = defineRule({
  id: "schema/default-in-prose",
  severity: "info",
  summary: "A default that a description states is in the schema, too.",
  why:
    "Nothing fills in a default that is only described: conditions, checks and the handler see no value, and each has to repeat it. " +
    "A `default` in the schema is filled in before any of them runs.",
  messages: {
    unfilled: 'The default of "{name}" is stated only in its description. Add "default: {value}" to its schema.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: list_pages
          description: List pages.
          input: { type: object, properties: { page: { type: integer, description: "Page number (default: 1)" } } }
        `,
        reports: ["unfilled"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: list_pages
        description: List pages.
        input:
          type: object
          properties:
            page: { type: integer, default: 1, description: "Page number (default: 1)" }
            branch: { type: string, description: Defaults to the default branch of the repository. }
            strict: { type: boolean, description: Default true if the page is locked. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        // Nothing is filled in inside unions, and required values are never absent.
        if (parameter.isConditional || parameter.isRequired || parameter.schema.default !== undefined) return;
        const value = statedDefault(parameter);
        if (value === undefined) return;
        const location = tool.input.locate(parameter.pointer, "key");
        report("unfilled", { location }, { name: parameter.property, value: JSON.stringify(value) });
      },
    };
  },
});

function statedDefault({ description, types, schema }: Parameter): JsonValue | undefined {
  const groups = DEFAULT.exec(description)?.groups;
  if (groups === undefined) return undefined;
  const text = groups["quoted"] ?? groups["bare"] ?? "";
  if ((types.has("number") || types.has("integer")) && /^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  if (types.has("boolean") && /^(?:true|false)$/iu.test(text)) return text.toLowerCase() === "true";
  if (!types.has("string") || groups["quoted"] === undefined) return undefined;
  return schema.enum === undefined || schema.enum.includes(text) ? text : undefined;
}
