import { dialectConstants } from "./dialect-constants.js";

/** What follows a tool's name in the names of its types. */
export const ownSuffixes: readonly string[] = ["Arguments", "Input", "Output", "Handler", "Types"];

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
  ...Object.values(dialectConstants).flatMap(({ name, type }) => [name, type]),
]);
