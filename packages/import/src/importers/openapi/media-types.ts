import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";

/** The encoding of a body. */
export type BodyForm = "json" | "form" | "multipart" | "text" | "bytes";

/** One media type of a body. */
export interface Media {
  readonly type: string;
  readonly form: BodyForm;
  readonly value: JsonObject;
}

/** Forms in order of preference: the one that JSON expresses best comes first. */
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

/** Returns the media type that says most in JSON; `undefined` if none of them can. */
export function bestMedia(content: JsonValue | undefined): Media | undefined {
  const entries = isObject(content) ? Object.entries(content) : [];
  for (const [form, pattern] of FORMS) {
    const [type, value] = entries.find(([name]) => pattern.test(name)) ?? [];
    if (type !== undefined) return { type, form, value: isObject(value) ? value : {} };
  }
  const [type, value] = entries.find(([name, media]) => !STRUCTURED.test(name) && isBytes(media)) ?? [];
  return type === undefined ? undefined : { type, form: "bytes", value: isObject(value) ? value : {} };
}

/** Returns whether a media type's schema describes only bytes. */
function isBytes(media: JsonValue): boolean {
  const schema = isObject(media) ? media["schema"] : undefined;
  if (schema === undefined) return true;
  return isObject(schema) && (schema["type"] === "string" || Object.keys(schema).length === 0);
}
