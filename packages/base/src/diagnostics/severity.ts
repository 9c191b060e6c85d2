interface Graded {
  readonly severity: string;
}

export function isError({ severity }: Graded): boolean {
  return severity === "error";
}

export function hasErrors(findings: readonly Graded[]): boolean {
  return findings.some(isError);
}
