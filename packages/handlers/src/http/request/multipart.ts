import { randomUUID } from "node:crypto";
import { NotExecuted } from "@hasp/runtime";
import { isFile, readBytes, type WrittenBody } from "./bytes.js";
import type { ParameterStyle, ParameterStyles, ParameterValues } from "./http-request.js";
import { replacesMethod } from "../../../../runtime/src/declared/method-override.js";
import { isJsonType } from "./serialize.js";

interface Part {
  readonly content: Uint8Array;
  readonly filename?: string;
  readonly mediaType?: string | undefined;
}

/** Writes `multipart/form-data` as browsers do; a part of JSON has a type and no file name. */
export function writeMultipart(values: ParameterValues, encoding: ParameterStyles = {}): WrittenBody {
  const boundary = `hasp-${randomUUID()}`;
  const chunks: Uint8Array[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (replacesMethod(name)) throw new NotExecuted(`"${name}" can replace the method of the request`);
    const style = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
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

function toPart(name: string, value: unknown, { contentType }: ParameterStyle = {}): Part {
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

function headOf(name: string, { filename, mediaType }: Part): string {
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
