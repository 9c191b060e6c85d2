import type { GeneratedNames } from "../../typescript/names.js";
import { dialects } from "@hasp/schema";
import { dialectName } from "./dialect-constants.js";

/** What follows a tool's name in the names of its types. */
const ownSuffixes: readonly string[] = ["Arguments", "Input", "Output", "Handler", "Types"];

/** Whether a name is one that some tool may give to a type of its own. */
export function isOwnTypeName(name: string): boolean {
  return ownSuffixes.some((suffix) => name.endsWith(suffix));
}

/** Whether a name is that of one of the types that tools have for themselves. */
export function isTypeOfATool(tools: readonly GeneratedNames[]): (name: string) => boolean {
  const pascals = new Set(tools.map(({ pascal }) => pascal));
  return (name) => ownSuffixes.some((suffix) => name.endsWith(suffix) && pascals.has(name.slice(0, -suffix.length)));
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
