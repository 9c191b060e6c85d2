import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { isList, isObject, isSameJson, readOwnMember, toObject } from "@hasp/base/json";
import { readJsonLayout } from "@hasp/compiler/edit";
import { findConflict } from "@hasp/compiler/source";
import type { JsonObject, JsonValue } from "@hasp/schema";

type AddToJson = (path: readonly (string | number)[], value: unknown) => void;

/**
 * Adds values to a JSON text. Existing values, comments and layout stay. Returns `undefined` if nothing is added. Throws
 * an error that says why a text cannot be edited.
 */
function editJson(text: string, edit: (current: JsonObject, add: AddToJson) => void): string | undefined {
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
  const errors: ParseError[] = [];
  const current: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error("it is not valid JSON");
  const formattingOptions = readJsonLayout(text);
  let result = text;
  edit(toObject(current), (path, value) => {
    result = applyEdits(result, modify(result, [...path], value, { formattingOptions, isArrayInsertion: true }));
  });
  return result === text ? undefined : result;
}

/** Adds missing parts of `addition`: entries one level below each top key (`scripts`, `tasks`), or items of a list. */
export function mergedJson(text: string, addition: JsonObject): string | undefined {
  return editJson(text, (current, add) => {
    for (const [section, entries] of Object.entries(addition)) {
      const there = current[section];
      if (isList(entries)) addMissing(add, [section], there, entries);
      else if (isObject(entries)) {
        for (const [name, value] of Object.entries(entries)) {
          if (!isObject(there) || there[name] === undefined) add([section, name], value);
        }
      }
    }
  });
}

/** Adds the items that a list lacks. Anything but a list stays as it is. */
function addMissing(
  add: AddToJson,
  path: readonly string[],
  there: JsonValue | undefined,
  items: readonly JsonValue[],
): void {
  if (there === undefined) return add(path, items);
  if (!isList(there)) return;
  const missing = items.filter((item) => !there.some((each) => isSameJson(each, item)));
  for (const [index, item] of missing.entries()) add([...path, there.length + index], item);
}

/** Excludes a folder from what Biome reads: all files, if its settings name none. */
export function excludeInBiome(text: string, excluded: string): string | undefined {
  return editJson(text, ({ files }, add) => {
    const includes = readOwnMember(files, "includes");
    addMissing(add, ["files", "includes"], includes, includes === undefined ? ["**", excluded] : [excluded]);
  });
}
