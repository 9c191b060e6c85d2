import { defineFindings, type FindingFactory } from "../../diagnostics/define-diagnostics.js";

const limitDefinitions = {
  "limit-depth": "The schema has {actual} levels of nesting; {dialect} allows {limit}. Make it flatter.",
  "limit-properties": "The schema has {actual} properties; {dialect} allows {limit}. Split the tool.",
  "limit-enum": {
    message: {
      values:
        "The schema has {actual} enum values; {dialect} allows {limit}. Replace long enums by a string and a description.",
      length: "An enum of {values} values has {actual} characters; {dialect} allows {limit}. Shorten its values.",
    },
  },
  "limit-text":
    "The schema has {actual} characters in names and listed values; {dialect} allows {limit}. Shorten or split it.",
} as const;

export const limitDiagnostics: FindingFactory<typeof limitDefinitions> = defineFindings("lower", limitDefinitions);

const requestDefinitions = {
  name: '"{name}" is not a valid tool name for {dialect}. Use the name that wireNames gives.',
  "description-length": "The description has {actual} characters; {dialect} allows {limit}. Shorten it.",
  "exclusive-fields": "{dialect} takes no tool with both `{field}` and `{other}`. Remove one of them.",
  fields: "The list has {actual} tools with `{field}`; {dialect} allows {limit}. Set it for fewer tools.",
  tools: "The list has {actual} tools; {dialect} allows {limit}. Split it into toolsets.",
  "deferred-tools": "The list has {actual} deferred tools; {dialect} allows {limit}. Split it into toolsets.",
  "strict-tools": "The list has {actual} strict tools; {dialect} allows {limit}. Make some of them not strict.",
  "optional-properties":
    "The list has {actual} optional properties in strict tools; {dialect} allows {limit}. Make some tools not strict, or split the list into toolsets.",
  "union-properties":
    "The list has {actual} properties with a union in strict tools; {dialect} allows {limit}. Make some tools not strict, or split the list into toolsets.",
  properties:
    "The list has {actual} properties in strict tools; {dialect} allows {limit}. Make some tools not strict, or split the list into toolsets.",
  "forced-items": {
    severity: "warning",
    message:
      "The `maxItems` of the list are {actual} together; {dialect} refuses more than {limit} in a request that forces a call. Lower them, or split the list into toolsets.",
  },
} as const;

export const requestDiagnostics: FindingFactory<typeof requestDefinitions> = defineFindings(
  "request",
  requestDefinitions,
);
