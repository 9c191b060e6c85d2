/** Stops the build because a file does not contain what hasp meant to write. */
export function fault(path: string, problem: string): never {
  throw new Error(`hasp generated ${path} incorrectly: ${problem}. Nothing was written; please report this bug.`);
}
