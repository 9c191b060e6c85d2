/**
 * The entry points that generated code imports, beside those that the kinds of handlers state. The number in each rises
 * when code that an earlier hasp generated would no longer run with it; versions.md lists them. Extensions have none: a
 * dispatcher takes any object of their shape.
 */
export const CODEGEN_ENTRIES = {
  runtime: "@hasp/runtime/codegen/v1",
  flow: "@hasp/runtime/flow",
  results: "@hasp/runtime/results",
  search: "@hasp/runtime/search",
  isolation: "@hasp/handlers/isolation/v1",
} as const;

/** Returns the entry point for a program's own code, which has no number: it follows semantic versioning. */
export function nameUnnumberedEntry(from: string): string {
  return from.replace(/^(@hasp\/(?!runtime\/).*)\/v\d+$/u, "$1");
}
