import type { JsonObject } from "@hasp/schema";
import { applyEdits, modify, parse } from "jsonc-parser";
import { isObject } from "../../model/json-kind.js";

/**
 * A JSON text with the entries of `addition` that it lacks, one level below each top key (`scripts`, `tasks`); what is
 * there already stays as it is, as do comments and layout. `undefined` if there is nothing to add.
 */
export function mergedJson(text: string, addition: JsonObject): string | undefined {
  const indent = /^(?<indent>[ \t]+)\S/m.exec(text)?.groups?.["indent"] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  let result = text;
  for (const [section, entries] of Object.entries(addition)) {
    if (!isObject(entries)) continue;
    for (const [name, value] of Object.entries(entries)) {
      const current: unknown = parse(result);
      const there = isObject(current) && isObject(current[section]) ? current[section][name] : undefined;
      if (there === undefined) {
        result = applyEdits(result, modify(result, [section, name], value, { formattingOptions }));
      }
    }
  }
  return result === text ? undefined : result;
}
