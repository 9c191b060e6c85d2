import type { AnyTool } from "@hasp/runtime";

/** Returns the environment variables that a tool's calls need and that are not set, or empty. Loads nothing else. */
export function findMissingVariables(
  { needs }: AnyTool,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return needs.env.filter((variable) => !Object.hasOwn(environment, variable) || environment[variable] === "");
}
