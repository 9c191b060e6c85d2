import { dialects, type DialectId, type JsonObject } from "@hasp/schema";
import type { DialectPlan } from "../../../model/plan.js";
import { code, type Code, name } from "../../../typescript/code.js";
import { typeCode } from "../../../typescript/print-type.js";
import { typeOfValue } from "../../../typescript/type-node.js";

/** Returns a dialect's name in generated code, such as the function that returns a tool's entry. */
export function nameDialect(id: DialectId): string {
  return id.replaceAll(/-(.)/g, (_, first: string) => first.toUpperCase());
}

/** Prints the type of a dialect's entries, with the fields that the configuration adds to it. */
export function printEntryType({ id, extra }: Pick<DialectPlan, "id" | "extra">): Code {
  const { type, extraFields = [] } = dialects[id].entry;
  const unknown: JsonObject = Object.fromEntries(
    Object.entries(extra ?? {}).filter(([field]) => !extraFields.includes(field)),
  );
  return Object.keys(unknown).length === 0 ? name(type) : code`${name(type)} & ${typeCode(typeOfValue(unknown))}`;
}
