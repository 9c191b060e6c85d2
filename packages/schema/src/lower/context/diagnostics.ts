import { defineFindings, type FindingFactory } from "../../diagnostics/define-diagnostics.js";
import type { DiagnosticParameters, FormattedDiagnostic } from "@hasp/base/diagnostics";

const definitions = {
  "unknown-keyword": {
    severity: "warning",
    message:
      '"{keyword}" is not a keyword of JSON Schema and is not sent to {dialect}. Remove it, or rename it to "x-{keyword}".',
  },
  "keyword-refused": {
    message: {
      dialect:
        '{dialect} does not support "{keyword}" here, and nothing else means the same. Remove "{keyword}", or leave the tool out of this dialect.',
      flatten: '"{keyword}" cannot be lowered to {dialect}. Flatten the schema first.',
    },
  },
  reference:
    'Nothing is defined at "{reference}". Lower the result of `flatten`, whose references all name a definition in $defs.',
  "no-value": {
    message: {
      schema: "No value fits the schema in {dialect}. Look for a required property whose schema is false.",
      definition: 'No value fits the definition "{name}" in {dialect}. Make one of its required properties optional.',
    },
  },
  recursion:
    "{dialect} does not support recursive schemas, and this one contains itself. Remove the recursion, use a dialect that is not strict, or allow narrowing: then it is unrolled {times} times.",
  "nothing-required":
    "{dialect} needs at least one required property. Require one, or use the dialect that is not strict.",
  "open-object":
    '{dialect} accepts only closed objects, and this one accepts any property. Set "additionalProperties": false or give it a schema, use the dialect that is not strict, or allow narrowing: then further properties cannot be sent.',
  "too-deep": "The schema is nested more than {most} levels deep. Flatten its structure.",
  "too-large":
    "The lowered schema would have more than {most} nodes. Split the tool, or simplify its unions and references.",
} as const;

type LowerDefinitions = typeof definitions;

export const lowerDiagnostics: FindingFactory<LowerDefinitions> = defineFindings("lower", definitions);

export type LowerFinding = {
  [Name in keyof LowerDefinitions]: readonly [name: Name, parameters: DiagnosticParameters<LowerDefinitions[Name]>];
}[keyof LowerDefinitions];

export function formatFinding([name, parameters]: LowerFinding): FormattedDiagnostic {
  return lowerDiagnostics(name, parameters);
}
