/** Anything with a severity: a finding of ours, or one of @hasp/schema. */
interface Graded {
  readonly severity: string;
}

/** Whether a finding is an error: one for which nothing is written. */
export function isError({ severity }: Graded): boolean {
  return severity === "error";
}

/** Whether one of the findings is an error. */
export function hasErrors(findings: readonly Graded[]): boolean {
  return findings.some(isError);
}
