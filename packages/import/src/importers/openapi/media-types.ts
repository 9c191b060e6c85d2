import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";

export type BodyForm = "json" | "form" | "multipart" | "text" | "bytes";

export interface Media {
  readonly type: string;
  readonly form: BodyForm;
  readonly value: JsonObject;
}

/** In order of preference: JSON expresses the first best. */
const FORMS: readonly (readonly [BodyForm, RegExp])[] = [
  ["json", /^application\/json\s*(?:;|$)/iu],
  ["json", /^[^;]*\+json\s*(?:;|$)/iu],
  ["json", /^(?:application\/\*|\*\/\*)\s*(?:;|$)/iu],
  ["form", /^application\/x-www-form-urlencoded\s*(?:;|$)/iu],
  ["multipart", /^multipart\/form-data\s*(?:;|$)/iu],
  ["text", /^text\/(?!xml)[^;]*(?:;|$)/iu],
];
/** Media types whose structure a schema describes, but JSON does not carry. */
const STRUCTURED = /[/+](?:xml|yaml|x-yaml|cbor|msgpack)\s*(?:;|$)|^multipart\//iu;

/** Returns the most expressive media type in JSON; `undefined` if there is none. */
export function bestMedia(content: JsonValue | undefined): Media | undefined {
  const entries = isObject(content) ? Object.entries(content) : [];
  for (const [form, pattern] of FORMS) {
    const [type, value] = entries.find(([name]) => pattern.test(name)) ?? [];
    if (type !== undefined) return { type, form, value: isObject(value) ? value : {} };
  }
  const [type, value] = entries.find(([name, media]) => !STRUCTURED.test(name) && isBytes(media)) ?? [];
  return type === undefined ? undefined : { type, form: "bytes", value: isObject(value) ? value : {} };
}

function isBytes(media: JsonValue): boolean {
  const schema = isObject(media) ? media["schema"] : undefined;
  if (schema === undefined) return true;
  return isObject(schema) && (schema["type"] === "string" || Object.keys(schema).length === 0);
}
