/** True if tests of the slow project take a sample: without `HASP_SAMPLES`. */
export const isSample: boolean = process.env["HASP_SAMPLES"] === undefined;

/** A sample of the cases of a test, or all of them with `HASP_SAMPLES`. */
export function sampleOf<Case>(cases: readonly Case[], isTaken: (index: number) => boolean): readonly Case[] {
  return isSample ? cases.filter((_, index) => isTaken(index)) : cases;
}

/** Options for the type-checker: only with `HASP_SAMPLES` it checks the declarations of packages, which takes most of its time. */
export const LIBRARY_CHECK: readonly string[] = isSample ? ["--skipLibCheck"] : [];
