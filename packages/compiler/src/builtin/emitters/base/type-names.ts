import type { GeneratedNames } from "../../../typescript/names.js";
import { dialects } from "@hasp/schema";
import { nameDialect } from "./dialect-constants.js";

const ownSuffixes: readonly string[] = ["Arguments", "Input", "Output", "Handler", "Types"];

export function listOwnTypeNames({ pascal }: GeneratedNames): readonly string[] {
  return ownSuffixes.map((suffix) => `${pascal}${suffix}`);
}

/** Creates a test for the names of tools' own types. */
export function isTypeOfATool(tools: readonly GeneratedNames[]): (name: string) => boolean {
  const names = new Set(tools.flatMap(listOwnTypeNames));
  return (name) => names.has(name);
}

/** Names that a tool's module uses otherwise, or that would hide built-in types. */
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
  ...Object.values(dialects).flatMap(({ id, entry }) => [nameDialect(id), entry.type]),
]);
