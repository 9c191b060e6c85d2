import { yaml } from "../reading/example-spec.js";
import { isEnumerated } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

const SAYS_JSON =
  /\b(?:serialized|stringified|encoded) JSON\b|\bJSON[- ](?:encoded|serialized|stringified|formatted) (?:string|text|object|array|list)\b|\bas (?:a )?JSON string\b|\bJSON string (?:of|with|containing|detailing|describing|that)\b|\b(?:object|array|list|data) (?:as|in) (?:a )?JSON(?: format| string)?\b/iu;
/** Phrases that allow other text as well. */
const OR_OTHER = /\bor (?:a |as )?JSON\b|\bJSON or\b/iu;

export const jsonInString: Rule = defineRule({
  id: "schema/json-in-string",
  severity: "warning",
  summary: "Structured data is an object or a list, not JSON inside a string.",
  why:
    "A model that writes JSON inside a string has to escape every quote, and no schema tells it which keys to use. Nothing " +
    "checks the content before the handler parses it.",
  messages: {
    nested:
      'The description of "{name}" asks for {words}. Give it the schema of the data itself, or "contentMediaType: application/json" where it must stay a string.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: generate_report
          description: Write a report.
          input: { type: object, properties: { preferences: { type: string, description: Serialized JSON string detailing the user's preferences. } } }
        `,
        reports: ["nested"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: generate_report
        description: Write a report.
        input:
          type: object
          properties:
            preferences: { type: object, properties: { style: { type: string, description: Of the room. } }, description: The user's preferences. }
            body: { type: string, description: Text or JSON string. }
            raw: { type: string, contentMediaType: application/json, description: Sent as a JSON string. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, description, types, property, pointer } = parameter;
        if (!types.has("string") || isEnumerated(parameter) || schema.contentMediaType !== undefined) return;
        const [words] = SAYS_JSON.exec(description) ?? [];
        if (words === undefined || OR_OTHER.test(description)) return;
        report("nested", { location: tool.input.locate(pointer, "key") }, { name: property, words });
      },
    };
  },
});
