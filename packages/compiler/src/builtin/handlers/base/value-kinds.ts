import type { JsonSchema, JsonValue } from "@hasp/schema";
import { listedValues } from "../../../model/schemas/schema-parts.js";
import { listBranches } from "./input-property.js";

/** True unless flat schemas exclude these JSON types. */
export function mayBe(schemas: readonly JsonSchema[], root: JsonSchema, types: readonly string[]): boolean {
  return schemas.some((schema) => {
    if (typeof schema === "boolean") return schema;
    return listBranches(schema, root).some(({ parts }) => {
      const values = parts.flatMap((part) => listedValues(part) ?? []);
      if (values.length > 0) return values.some((value) => types.includes(findType(value)));
      const stated = parts.flatMap((part) => (part.type === undefined ? [] : [[part.type].flat()]));
      return stated.every((each) => each.some((type) => types.includes(type === "integer" ? "number" : type)));
    });
  });
}

/** True unless a value's enum, bounds or pattern excludes that its text begins with `-`. */
export function mayBeginWithDash(schemas: readonly JsonSchema[], root: JsonSchema): boolean {
  return schemas.some((schema) => {
    if (typeof schema === "boolean") return schema;
    return listBranches(schema, root).some(
      ({ parts }) =>
        !parts.some((part) => {
          const values = listedValues(part);
          if (values !== undefined) return values.every((value) => !String(value).startsWith("-"));
          if (part.type === "boolean") return true;
          if (part.type === "integer" || part.type === "number") {
            return (part.minimum ?? part.exclusiveMinimum ?? -1) >= 0;
          }
          return part.pattern !== undefined && excludesDash(part.pattern);
        }),
    );
  });
}

/** True for `^` followed by a character or class other than `-`; other patterns count as unknown. */
function excludesDash(pattern: string): boolean {
  const first = /^\^(?:(?<letter>[A-Za-z0-9_/.])|\[(?<members>[^\]^\\][^\]\\]*)\])(?<times>[*?{|]?)/u.exec(
    pattern,
  )?.groups;
  if (first === undefined || pattern.includes("|") || first["times"] !== "") return false;
  const { letter, members = "" } = first;
  if (letter !== undefined) return true;
  // In a class, `-` is literal at either end; elsewhere it is a range, which may contain `-`.
  return (
    !members.startsWith("-") &&
    !members.endsWith("-") &&
    [...members.matchAll(/(?<from>.)-(?<to>.)/gu)].every(
      ({ groups }) => (groups?.["from"] ?? "") > "-" || (groups?.["to"] ?? "") < "-",
    ) &&
    !new RegExp(`^[${members}]$`, "u").test("-")
  );
}

function findType(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
