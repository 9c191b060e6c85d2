import type { JsonSchema } from "../../vocabulary/json-schema.js";

// Entries of generated provider lists: frozen, but with mutable types, as the providers' SDKs demand.

/** A schema as a provider's API accepts it. */
export interface WireSchema {
  [keyword: string]: unknown;
}

/** A value that a provider's SDK types more narrowly than its API: its own enums, numbers as text. */
export type AsSent = ReturnType<typeof JSON.parse>;

/** A schema of an object, as most APIs require it at the root. */
export interface WireObjectSchema {
  type: "object";
  properties?: { [name: string]: AsSent };
  required?: string[];
  [keyword: string]: unknown;
}

/** The schema of a tool's input, which the types of the providers' SDKs accept. */
export type ObjectSchema = JsonSchema & WireObjectSchema;
