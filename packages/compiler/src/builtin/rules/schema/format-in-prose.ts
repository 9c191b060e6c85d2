import { yaml } from "../reading/example-spec.js";
import { isEnumerated } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Asserted formats by their phrases. */
const SAID: readonly { readonly format: string; readonly pattern: RegExp }[] = [
  { format: "date-time", pattern: /\bRFC ?3339\b|YYYY-MM-DDTHH:MM:SSZ|\bISO[ -]?8601 (?:timestamp|date-?time)\b/iu },
  { format: "date", pattern: /\bYYYY-MM-DD\b(?![ T-]?(?:HH|\d))/iu },
  { format: "uuid", pattern: /\bUUID(?:v\d)?\b/u },
];
/** Phrases for more than one form. */
const SEVERAL = /\bor\b|\branges?\b|\beither\b|\blist of\b|,? separated|\bfor dates\b/iu;

export const formatInProse: Rule = defineRule({
  id: "schema/format-in-prose",
  severity: "info",
  summary: "A format that a description asks for is in the schema, too.",
  why:
    "Models write dates in many ways. Where the schema has no `format` or `pattern`, a date in another form reaches the handler, and " +
    "conditions that compare such strings give wrong results.",
  messages: {
    unasserted: '"{name}" asks for "{words}" only in its description. Add "format: {format}" to its schema.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: book_flight
          description: Book a flight.
          input:
            type: object
            properties:
              travel_date: { type: string, description: The date of the travel in the format YYYY-MM-DD }
              booking: { type: string, description: The UUID of the booking. }
        `,
        reports: ["unasserted", "unasserted"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: list_commits
        description: List commits.
        input:
          type: object
          properties:
            day: { type: string, format: date, description: The day as YYYY-MM-DD }
            since: { type: string, description: "A date, as YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD" }
            at: { type: string, description: "The time as YYYY-MM-DD HH:MM:SS" }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, description, types, property } = parameter;
        if (!types.has("string") || isEnumerated(parameter) || SEVERAL.test(description)) return;
        if (schema.format !== undefined || schema.pattern !== undefined) return;
        for (const { format, pattern } of SAID) {
          const [words] = pattern.exec(description) ?? [];
          if (words === undefined) continue;
          const location = tool.input.locate(parameter.pointer, "key");
          report("unasserted", { location }, { name: property, words, format });
          break;
        }
      },
    };
  },
});
