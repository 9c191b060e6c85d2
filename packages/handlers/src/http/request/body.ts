import { isStructured, isObject, dropUndefined, own } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { randomUUID } from "node:crypto";
import type { HttpBody, ParameterValues, ParameterStyle, ParameterStyles } from "./http-request.js";
import { collectPairs, joinPairs } from "./target.js";
import { replacesMethod } from "@hasp/base/declared";
import { isJsonType } from "./serialize.js";

export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

interface BytesInput {
  readonly base64?: string | undefined;
  readonly text?: string | undefined;
}

interface FileInput extends BytesInput {
  readonly filename?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** Returns the Base64 of a model's `{ base64 }` or `{ text }`. Throws {@link NotExecuted} for any other value. */
export function base64(value: BytesInput): string;

export function base64(value: BytesInput | undefined): string | undefined;

export function base64(value: BytesInput | undefined): string | undefined {
  return value && Buffer.from(readBytes(value, "value").bytes).toString("base64");
}

const FILE_KEYS: ReadonlySet<string> = new Set(["base64", "text", "filename", "mediaType"]);

function isFile(value: unknown): value is FileInput {
  if (!isStructured(value)) return false;
  const entries = Object.entries(dropUndefined(value));
  return (
    entries.filter(([key]) => key === "base64" || key === "text").length === 1 &&
    entries.every(([key, item]) => FILE_KEYS.has(key) && typeof item === "string")
  );
}

/** Returns the bytes of `{ base64 }`, `{ text }` or a string. Errors call the value `name`. */
function readBytes(value: unknown, name: string): { readonly bytes: Uint8Array; readonly isText: boolean } {
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

export function writeBody(body: HttpBody | undefined): WrittenBody | undefined {
  if (body === undefined) return undefined;
  const { mediaType } = body;
  if ("json" in body) {
    if (body.json === undefined) return undefined;
    return { bytes: Buffer.from(JSON.stringify(body.json)), mediaType: mediaType ?? "application/json" };
  }
  if ("binary" in body) {
    if (body.binary === undefined) return undefined;
    const { bytes, isText } = readBytes(body.binary, "body");
    return { bytes, mediaType: mediaType ?? (isText ? "text/plain; charset=utf-8" : "application/octet-stream") };
  }
  if ("form" in body) {
    if (body.form === undefined) return undefined;
    const text = joinPairs(collectPairs("form", properties(body.form), body.encoding), "&");
    return { bytes: Buffer.from(text), mediaType: mediaType ?? "application/x-www-form-urlencoded" };
  }
  return body.multipart === undefined ? undefined : writeMultipart(properties(body.multipart), body.encoding);
}

function properties(value: unknown): ParameterValues {
  if (!isObject(value)) {
    throw new NotExecuted("the body must be an object");
  }
  return value as ParameterValues;
}

interface FormPart {
  readonly content: Uint8Array;
  readonly filename?: string;
  readonly mediaType?: string | undefined;
}

/** Writes `multipart/form-data` as browsers do; a part of JSON has a type and no file name. */
function writeMultipart(values: ParameterValues, encoding: ParameterStyles = {}): WrittenBody {
  const boundary = `hasp-${randomUUID()}`;
  const chunks: Uint8Array[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (replacesMethod(name)) throw new NotExecuted(`"${name}" can replace the method of the request`);
    const style = own(encoding, name);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) {
      if (item === undefined || item === null) continue;
      const part = toPart(name, item, style);
      chunks.push(Buffer.from(`--${boundary}\r\n${headOf(name, part)}\r\n\r\n`), part.content, Buffer.from("\r\n"));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(chunks), mediaType: `multipart/form-data; boundary=${boundary}` };
}

function toPart(name: string, value: unknown, { contentType }: ParameterStyle = {}): FormPart {
  if (isFile(value)) {
    const { bytes, isText } = readBytes(value, name);
    const usual = isText ? "text/plain; charset=utf-8" : "application/octet-stream";
    return { content: bytes, filename: value.filename ?? name, mediaType: value.mediaType ?? contentType ?? usual };
  }
  const isJson = typeof value === "object" || (contentType !== undefined && isJsonType(contentType));
  return {
    content: Buffer.from(isJson ? JSON.stringify(value) : String(value)),
    mediaType: contentType ?? (isJson ? "application/json" : undefined),
  };
}

function headOf(name: string, { filename, mediaType }: FormPart): string {
  const file = filename === undefined ? "" : `; filename="${escaped(filename)}"`;
  const type = mediaType === undefined ? "" : `\r\nContent-Type: ${checkedType(mediaType)}`;
  return `Content-Disposition: form-data; name="${escaped(name)}"${file}${type}`;
}

/** Escapes the name of a part as the HTML standard does. */
function escaped(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22").replaceAll("\0", "%00");
}

/** Refuses a type that would begin another header. */
function checkedType(type: string): string {
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\t\u0020-\u007e]*)?$/u.test(type)) {
    throw new NotExecuted(`"${type}" is not a media type`);
  }
  return type;
}
