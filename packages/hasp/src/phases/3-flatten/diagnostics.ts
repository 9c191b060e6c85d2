import { predicateDefinition } from "../../cel/index.js";
import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const ownDefinitions = {
  "input-not-object": {
    severity: "error",
    message: "The input must be an object and say so: what models send is an object of named arguments.",
    help: "Write `type: object` and `properties`, in each branch where it is a union.",
  },
  "unknown-placeholder": {
    severity: "error",
    message: '"{placeholder}" names no field of the input, so it would print nothing.{nearest:suggestion}',
  },
} as const;

const definitions: typeof ownDefinitions & { readonly predicate: typeof predicateDefinition } = {
  ...ownDefinitions,
  predicate: predicateDefinition,
};

/** What flattening may find beside the findings of the schema package, which bring their own codes. */
export const flattenDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flatten", definitions);
