import type { JsonObject, JsonValue } from "@hasp/schema";

/** The deepest nesting that is read. One level of a schema takes two. */
export const DEPTH_LIMIT = 512;

/** The one key that is refused everywhere: copied carelessly, it changes an object's prototype. */
export const UNSAFE_KEY = "__proto__";

/** An object under construction; `UNSAFE_KEY` never gets into it. */
export type JsonObjectDraft = { -readonly [Key in keyof JsonObject]: JsonValue };
