import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";

function error(code: string, origin: Origin, message: string): SchemaDiagnostic {
  return { code, severity: "error", message, origin };
}

/** What closing finds. */
export const closeDiagnostics = {
  bareObject: (origin: Origin): SchemaDiagnostic =>
    error(
      "schema/bare-object",
      origin,
      `"type": "object" alone does not say which keys it takes. Give it "properties", a schema under "additionalProperties" (a map), or "additionalProperties": true (anything).`,
    ),

  ambiguousUnion: (origin: Origin): SchemaDiagnostic =>
    error(
      "schema/ambiguous-union",
      origin,
      `The objects inside this "oneOf" cannot be closed: two branches may match one value, and closing could turn "both" into "exactly one". Give each branch a required property with its own "const", write "anyOf", or say "additionalProperties" in those objects.`,
    ),

  contestedPlace: (origin: Origin, step: string, severity: "error" | "warning"): SchemaDiagnostic => {
    const objects = step === "" ? "the objects inside" : `the objects at "${step}"`;
    return {
      code: "schema/contested-place",
      severity,
      message:
        severity === "warning"
          ? `Two branches that may hold together describe ${objects}; once closed, a value may use the keys of one of them, not a mixture. Tell the branches apart with a "const", or say "additionalProperties" in those objects.`
          : `Two schemas that hold together describe ${objects}, so neither can be closed without refusing the other's keys. Describe them in one place, or say "additionalProperties" in those objects.`,
      origin,
    };
  },

  unbounded: (origin: Origin, limit: number): SchemaDiagnostic =>
    error(
      "schema/too-deep",
      origin,
      `The schema is nested deeper than ${limit} values, or contains itself. Move inner parts to "$defs".`,
    ),

  unknownReference: (origin: Origin, reference: string): SchemaDiagnostic =>
    error(
      "schema/not-flat",
      origin,
      `Closing cannot see what "${reference}" refers to. Flatten the schema first, or move the definition into "$defs".`,
    ),
} as const;
