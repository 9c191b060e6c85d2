/** Anything with a severity: a finding of ours, or one of @hasp/schema. */
interface Graded {
  readonly severity: string;
}

/** True for an error: a finding that stops all output. */
export function isError({ severity }: Graded): boolean {
  return severity === "error";
}

/** True if one of the findings is an error. */
export function hasErrors(findings: readonly Graded[]): boolean {
  return findings.some(isError);
}
