import { assertedFormats } from "@hasp/schema";
import { closest } from "../../../diagnostics/closest.js";
import type { SchemaNode } from "../../../model/schema-nodes.js";
import type { FlatSchema } from "../../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Formats that inform a model without being asserted: JSON Schema's others and OpenAPI's. */
const NOTED: ReadonlySet<string> = new Set(
  (
    "idn-email idn-hostname iri iri-reference uri-template relative-json-pointer " +
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double decimal byte binary password"
  ).split(" "),
);

export const unknownFormat: Rule = defineRule({
  id: "schema/unknown-format",
  severity: "warning",
  summary: "Every format is asserted, or is a registered annotation.",
  why:
    "Neither hasp nor a provider asserts an unknown format. It looks like a check but is none. Use " +
    "a pattern, an enum or a sentence in the description instead.",
  messages: {
    misspelt: 'Nothing asserts the format "{format}". Did you mean "{nearest}"?',
    unknown: 'Nothing asserts the format "{format}"; write a pattern, or say in the description what is meant.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: find_event
          description: Find an event.
          input:
            type: object
            properties: { since: { type: string, format: datetime }, colour: { type: string, format: rgb } }
        `,
        reports: ["misspelt", "unknown"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: find_event
        description: Find an event.
        input:
          type: object
          properties:
            since: { type: string, format: date-time }
            id: { type: integer, format: int64 }
            colour: { type: string, pattern: "^#[0-9a-f]{6}$" }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const check = ({ schema: { format }, pointer }: SchemaNode, flat: FlatSchema | undefined): void => {
      if (flat === undefined || format === undefined || assertedFormats.has(format) || NOTED.has(format)) return;
      const at = { location: flat.locate(`${pointer}/format`) };
      const nearest = closest(format, [...assertedFormats.keys()]);
      if (nearest === undefined) report("unknown", at, { format });
      else report("misspelt", at, { format, nearest });
    };
    return { input: (node) => check(node, tool.input), output: (node) => check(node, tool.output) };
  },
});
