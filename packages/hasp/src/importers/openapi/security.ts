import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf } from "../source/json-values.js";
import { objectAt } from "./openapi-document.js";

/** A way in which API callers authenticate. */
export interface SecurityScheme {
  readonly name: string;
  /** What a handler must know about it. */
  readonly facts: JsonObject;
  /** Whether a parameter carries the credential. */
  carriedBy(parameter: { readonly in: string; readonly name: string }): boolean;
}

/** Returns the security schemes that a document declares. */
export function securitySchemesOf({ document, documents }: ImportSource): readonly SecurityScheme[] {
  const components = isObject(document.value) ? document.value["components"] : undefined;
  const declared = isObject(components) ? components["securitySchemes"] : undefined;
  return Object.entries(isObject(declared) ? declared : {}).flatMap(([name, value]): SecurityScheme[] => {
    const placed = objectAt({ value, document, pointer: "" }, documents);
    if (typeof placed === "string") return [];
    const { type, in: place, name: carrier, scheme } = placed.value;
    const isHeader = place === "header";
    const plain = (text: string): string => (isHeader ? text.toLowerCase() : text);
    return [
      {
        name,
        facts: objectOf([
          ["type", type],
          ["scheme", scheme],
          ["in", place],
          ["name", carrier],
        ]),
        carriedBy: (parameter) =>
          type === "apiKey" &&
          typeof carrier === "string" &&
          parameter.in === place &&
          plain(parameter.name) === plain(carrier),
      },
    ];
  });
}

/** Returns the schemes that an operation accepts, by name; `undefined` if it needs none. */
export function securityFacts(
  operation: JsonObject,
  root: JsonValue,
  schemes: readonly SecurityScheme[],
): JsonObject | undefined {
  const requirements = operation["security"] ?? (isObject(root) ? root["security"] : undefined);
  const names = new Set(
    (isList(requirements) ? requirements : []).flatMap((requirement) =>
      isObject(requirement) ? Object.keys(requirement) : [],
    ),
  );
  if (names.size === 0) return undefined;
  return Object.fromEntries(
    [...names].map((name): [string, JsonValue] => [name, schemes.find((scheme) => scheme.name === name)?.facts ?? {}]),
  );
}
