import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "input-not-object": {
    severity: "error",
    message: (): string => "The input must be an object and say so: what models send is an object of named arguments.",
    help: (): string => "Write `type: object` and `properties`, in each branch where it is a union.",
  },
  predicate: {
    severity: "error",
    message: (p: { problem: string; help: string | undefined }): string => p.problem,
    help: (p: { problem: string; help: string | undefined }): string | undefined => p.help,
  },
  "unknown-placeholder": {
    severity: "error",
    message: (p: { placeholder: string; suggestion: string }): string =>
      `"${p.placeholder}" names no field of the input, so it would print nothing.${p.suggestion}`,
  },
} as const;

/** What flattening may find beside the findings of the schema package, which bring their own codes. */
export const flattenDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flatten", definitions);
