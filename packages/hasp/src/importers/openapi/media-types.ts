import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";

/** How a body travels, as far as its value can be said in JSON. */
export type BodyForm = "json" | "form" | "multipart" | "text";

/** One media type of a body. */
export interface Media {
  readonly type: string;
  readonly form: BodyForm;
  readonly value: JsonObject;
}

const FORMS: readonly (readonly [BodyForm, RegExp])[] = [
  ["json", /^application\/json\s*(?:;|$)/iu],
  ["json", /^[^;]*\+json\s*(?:;|$)/iu],
  ["json", /^(?:application\/\*|\*\/\*)\s*(?:;|$)/iu],
  ["form", /^application\/x-www-form-urlencoded\s*(?:;|$)/iu],
  ["multipart", /^multipart\/form-data\s*(?:;|$)/iu],
  ["text", /^text\//iu],
];

/** The media type that says most in JSON; `undefined` if none of them can. */
export function bestMedia(content: JsonValue | undefined): Media | undefined {
  const entries = isObject(content) ? Object.entries(content) : [];
  for (const [form, pattern] of FORMS) {
    const [type, value] = entries.find(([name]) => pattern.test(name)) ?? [];
    if (type !== undefined) return { type, form, value: isObject(value) ? value : {} };
  }
  return undefined;
}
