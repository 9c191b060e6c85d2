/** Any value that JSON can say. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

/** A JSON array. */
export type JsonArray = readonly JsonValue[];

/** A JSON object. Own enumerable string keys only; `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
