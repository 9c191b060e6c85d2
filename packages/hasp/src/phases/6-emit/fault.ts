/** Stops the build: what stands in a file is not what hasp meant to write. */
export function fault(path: string, problem: string): never {
  throw new Error(`hasp made a fault in ${path}: ${problem}. Nothing was written; please report this.`);
}
