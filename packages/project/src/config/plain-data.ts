import type { JsonValue } from "@hasp/schema";
import { appendToPointer, dropUndefined, mapMembers } from "@hasp/base/json";

export interface NotData {
  readonly pointer: string;
  /** Names the value, such as `a function`. */
  readonly what: string;
}

/** Copies a value as plain data. Functions and the like are reported, since dropping them would change the meaning. */
export function toPlainData(value: unknown): { readonly value: JsonValue } | { readonly problems: readonly NotData[] } {
  const problems: NotData[] = [];
  const ancestors = new Set<object>();
  const read = (current: unknown, pointer: string): JsonValue => {
    if (current === null || typeof current === "string" || typeof current === "boolean") return current;
    if (typeof current === "number" && Number.isFinite(current)) return current;
    const what =
      typeof current !== "object"
        ? kindOf(current)
        : ancestors.has(current)
          ? "an object that contains itself"
          : classOf(current);
    if (what !== undefined || typeof current !== "object") {
      problems.push({ pointer, what: what ?? kindOf(current) });
      return null;
    }
    ancestors.add(current);
    const copy = Array.isArray(current)
      ? current.map((item, index) => read(item, `${pointer}/${index}`))
      : mapMembers(dropUndefined(current), (item, key) => read(item, appendToPointer(pointer, key)));
    ancestors.delete(current);
    return copy;
  };
  const data = read(value, "");
  return problems.length === 0 ? { value: data } : { problems };
}

function kindOf(value: unknown): string {
  return typeof value === "number"
    ? String(value)
    : typeof value === "undefined"
      ? "nothing (undefined)"
      : `a ${typeof value}`;
}

function classOf(value: object): string | undefined {
  if (Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another `Object`, of the same name; a module has no prototype.
  if (prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null)) {
    return undefined;
  }
  return `an object of the class ${value.constructor.name}`;
}
