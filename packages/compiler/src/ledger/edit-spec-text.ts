import { applyEdits, modify } from "jsonc-parser";
import { parseDocument } from "yaml";
import { canonicalText, isStructured } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { insertIntoYaml, readJsonLayout, removeFromYaml, type ValuePath } from "../text/edit-text.js";

/** A value to set, or to remove if `undefined`. */
export interface SpecEdit {
  readonly path: ValuePath;
  readonly value: JsonValue | undefined;
}

/** Edits a spec and keeps comments and layout. Reprints the text if a value cannot be set on its own. */
export function editSpecText(uri: string, text: string, edits: readonly SpecEdit[]): string {
  return edits.reduce(
    (current, edit) => (uri.endsWith(".json") ? editJson(current, edit) : editYaml(current, edit)),
    text,
  );
}

function editJson(text: string, { path, value }: SpecEdit): string {
  return applyEdits(text, modify(text, [...path], value, { formattingOptions: readJsonLayout(text) }));
}

function editYaml(text: string, { path, value }: SpecEdit): string {
  const changed = parseDocument(text);
  if (value === undefined) changed.deleteIn(path);
  else changed.setIn(path, value);
  const wanted = canonicalText(changed.toJS());
  const spliced = value === undefined ? removeFromYaml(text, path) : insertIntoYaml(text, path, flowText(value));
  if (spliced !== undefined && means(spliced, wanted)) return spliced;
  return changed.toString({ lineWidth: 0 });
}

function means(text: string, wanted: string): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && canonicalText(document.toJS()) === wanted;
}

function flowText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (isStructured(value)) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${flowText(each as JsonValue)}`)
      .join(", ")} }`;
  }
  return typeof value === "string" &&
    /^[A-Za-z][\w-]*$/u.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/iu.test(value)
    ? value
    : JSON.stringify(value);
}
