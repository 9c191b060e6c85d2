import { NotExecuted } from "@hasp/runtime";

export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Bytes from a model: one of the two. */
export interface BytesInput {
  readonly base64?: string | undefined;
  readonly text?: string | undefined;
}

/** A file from a model. */
export interface FileInput extends BytesInput {
  readonly filename?: string | undefined;
  readonly mediaType?: string | undefined;
}

/**
 * Returns the Base64 of a model's `{ base64 }` or `{ text }`, for a place that holds bytes as text. Throws {@link
 * NotExecuted} for any other value.
 */
export function base64(value: BytesInput): string;
export function base64(value: BytesInput | undefined): string | undefined;
export function base64(value: BytesInput | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(readBytes(value, "value").bytes).toString("base64");
}

const FILE_KEYS: ReadonlySet<string> = new Set(["base64", "text", "filename", "mediaType"]);

export function isFile(value: unknown): value is FileInput {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return (
    entries.filter(([key]) => key === "base64" || key === "text").length === 1 &&
    entries.every(([key, item]) => FILE_KEYS.has(key) && typeof item === "string")
  );
}

/** Returns the bytes of `{ base64 }`, `{ text }` or a string. Errors call the value `name`. */
export function readBytes(value: unknown, name: string): { readonly bytes: Uint8Array; readonly isText: boolean } {
  if (typeof value === "string") return { bytes: Buffer.from(value), isText: true };
  const { base64: encoded, text } = Object(value) as { readonly base64?: unknown; readonly text?: unknown };
  if (typeof text === "string" && encoded === undefined) return { bytes: Buffer.from(text), isText: true };
  if (typeof encoded !== "string" || text !== undefined) {
    throw new NotExecuted(`"${name}" must be { "base64": … } or { "text": … }`);
  }
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/u.test(encoded)) {
    throw new NotExecuted(`"${name}" is not base64`);
  }
  return { bytes: Buffer.from(encoded, "base64"), isText: false };
}
