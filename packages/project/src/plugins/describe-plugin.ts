import { isStructured } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { FUNCTION } from "@hasp/compiler/plugins";

/** Describes a plugin as plain data. Throws for a value that is neither data nor a function. */
export function describePlugin(value: unknown, path = "it"): JsonValue {
  if (typeof value === "function") return FUNCTION;
  if (Array.isArray(value)) return value.map((each, index) => describePlugin(each, `${path}[${index}]`));
  if (isStructured(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new TypeError(`${path} is no plain object`);
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [[key, describePlugin(each, `${path}.${key}`)]],
      ),
    );
  }
  if (["string", "number", "boolean"].includes(typeof value) || value === null) return value as JsonValue;
  throw new TypeError(`${path} is a ${typeof value}`);
}

/** An error that one part of a plugin threw. */
export class PartError extends Error {
  readonly part: string;
  readonly reason: unknown;

  constructor(part: string, reason: unknown) {
    super(part);
    this.part = part;
    this.reason = reason;
  }
}
