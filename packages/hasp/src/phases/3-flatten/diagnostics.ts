import { predicateDefinition } from "../../cel/index.js";
import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const ownDefinitions = {
  "input-not-object": {
    severity: "error",
    message: "The input schema must declare an object: models send an object of named arguments.",
    help: "Write `type: object` and `properties`; for a union, write them in each branch.",
  },
  "unknown-placeholder": {
    severity: "error",
    message: '"{placeholder}" is not an input field, so it would print nothing.{nearest:suggestion}',
  },
} as const;

const definitions: typeof ownDefinitions & { readonly predicate: typeof predicateDefinition } = {
  ...ownDefinitions,
  predicate: predicateDefinition,
};

/** Diagnostics from flattening, in addition to those of the schema package, which have their own codes. */
export const flattenDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flatten", definitions);
