import type { GeneratedNames } from "../../../typescript/names.js";
import { dialects } from "@hasp/schema";
import { dialectName } from "./dialect-constants.js";

/** The suffixes after a tool's name in the names of its types. */
const ownSuffixes: readonly string[] = ["Arguments", "Input", "Output", "Handler", "Types"];

/** The names of the types that one tool has for itself. */
export function ownTypeNames({ pascal }: GeneratedNames): readonly string[] {
  return ownSuffixes.map((suffix) => `${pascal}${suffix}`);
}

/** Returns a test for the names of types that tools have for themselves. */
export function isTypeOfATool(tools: readonly GeneratedNames[]): (name: string) => boolean {
  const names = new Set(tools.flatMap(ownTypeNames));
  return (name) => names.has(name);
}

/** Names that a tool's module uses for other things, or that would hide what its types are made of. */
export const reservedNames: ReadonlySet<string> = new Set([
  "Context",
  "CustomCheck",
  "CustomPredicate",
  "Execute",
  "JsonSchema",
  "ObjectSchema",
  "OptionalExports",
  "OptionalLazyExports",
  "ToolMetadata",
  "ToolSpec",
  "description",
  "input",
  "output",
  ...Object.values(dialects).flatMap(({ id, entry }) => [dialectName(id), entry.type]),
]);
