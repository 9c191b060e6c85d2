import { NotExecuted } from "@hasp/runtime";
import { printArray, PARAMETER_TYPES } from "./cells.js";

/** True if the encoding of a value depends on the type of its parameter. */
export function needsType(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/**
 * Encodes a value in the text form of Postgres. `type` is the object id of the parameter's type, if known. Throws
 * {@link NotExecuted} for a value that no text form can carry.
 */
export function boundText(value: unknown, position: number, type?: number): string | null {
  const refuse = (what: string): never => {
    throw new NotExecuted(`value $${position} of the statement ${what}; nothing was run`);
  };
  const textOf = (text: string): string => {
    if (text.includes("\0")) return refuse("contains a NUL character, which Postgres cannot store in text");
    return isWellFormed(text) ? text : refuse("is not valid Unicode");
  };
  const print = (item: unknown, of: number | undefined): string | null => {
    switch (typeof item) {
      case "undefined":
        return null;
      case "string":
        return of !== undefined && PARAMETER_TYPES.isJson(of) ? textOf(JSON.stringify(item)) : textOf(item);
      case "number":
      case "boolean":
      case "bigint":
        return String(item);
      case "object": {
        if (item === null) return null;
        if (of !== undefined && PARAMETER_TYPES.isBytes(of)) {
          return hexOf(item) ?? refuse("must be { base64 } or { text }, because it is a bytea");
        }
        if (item instanceof Date) return item.toISOString();
        return textOf(JSON.stringify(item));
      }
      default:
        return refuse(`is a ${typeof item}, which SQL cannot express`);
    }
  };
  const element = type === undefined ? undefined : PARAMETER_TYPES.elementOf(type);
  // For an unknown type, such as an array of an enumeration, only the value tells.
  const isArray = Array.isArray(value) && !(type !== undefined && PARAMETER_TYPES.isJson(type));
  return isArray ? printArray(value, (item) => print(item, element)) : print(value, scalarType(value, type));
}

/** A string for a `json` parameter is JSON text, as in SQL; a list or an object is printed. */
function scalarType(value: unknown, type: number | undefined): number | undefined {
  return typeof value === "object" ? type : undefined;
}

/** True if a string has no half of a surrogate pair, which UTF-8 would replace. */
function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/** Encodes `{ base64 }` or `{ text }` as Postgres reads bytes. */
function hexOf(value: object): string | undefined {
  const { base64, text } = value as { readonly base64?: unknown; readonly text?: unknown };
  if (typeof text === "string") return hex(new TextEncoder().encode(text));
  if (typeof base64 !== "string") return undefined;
  try {
    return hex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
