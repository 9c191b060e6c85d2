import type { JsonObject, JsonValue } from "@hasp/schema";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { findConflict } from "../../../compiler/src/phases/1-load/source-text.js";
import { isList, isObject, isSameJson } from "../../../compiler/src/model/json.js";

/**
 * Adds missing parts of `addition` to a JSON text: the entries one level below each top key (`scripts`, `tasks`), or
 * the items of a list. Existing values, comments and layout stay. `undefined` if there is nothing to add. Throws an
 * error that says why a text cannot be edited.
 */
export function mergedJson(text: string, addition: JsonObject): string | undefined {
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
  const errors: ParseError[] = [];
  const current: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error("it is not valid JSON");
  const indent = /^(?<indent>[ \t]+)\S/m.exec(text)?.groups?.["indent"] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  let result = text;
  const add = (path: readonly (string | number)[], value: unknown): void => {
    result = applyEdits(result, modify(result, [...path], value, { formattingOptions, isArrayInsertion: true }));
  };
  for (const [section, entries] of Object.entries(addition)) {
    const there: unknown = isObject(current) ? current[section] : undefined;
    if (isList(entries)) {
      const items = Array.isArray(there) ? (there as readonly JsonValue[]) : [];
      const missing = entries.filter((entry) => !items.some((item) => isSameJson(item, entry)));
      if (there === undefined) add([section], entries);
      else if (Array.isArray(there)) {
        for (const [index, entry] of missing.entries()) add([section, items.length + index], entry);
      }
    } else if (isObject(entries)) {
      for (const [name, value] of Object.entries(entries)) {
        if (!isObject(there) || there[name] === undefined) add([section, name], value);
      }
    }
  }
  return result === text ? undefined : result;
}
