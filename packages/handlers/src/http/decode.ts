import { own } from "@hasp/base/json";
import { promisify } from "node:util";
import { isJsonType } from "./request/serialize.js";
import type { RawAnswer } from "./network/transport.js";

/** Thrown for an unreadable answer; its message tells the model why. */
export class UnreadableAnswer extends Error {}

export type AnswerContent =
  | { readonly kind: "nothing" }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly mediaType: string };

/** No server compresses more than twice. */
const MOST_ENCODINGS = 2;

/** Decompresses an answer to at most `maxBytes` and detects its kind. Throws an {@link UnreadableAnswer}. */
export async function readContent({ headers, body }: RawAnswer, maxBytes: number): Promise<AnswerContent> {
  if (body === undefined) throw tooLarge(maxBytes);
  if (body.length === 0) return { kind: "nothing" };
  const bytes = await decompress(body, one(headers["content-encoding"]), maxBytes);
  const type = one(headers["content-type"]);
  const mediaType = /^\s*([^\s;]+)/u.exec(type)?.[1]?.toLowerCase() ?? "";
  if (isTextType(mediaType)) {
    const text = toText(bytes, /charset\s*=\s*"?([^\s";]+)/iu.exec(type)?.[1]);
    return { kind: isJsonType(mediaType) ? "json" : "text", text };
  }
  const untyped = mediaType === "" ? strictText(bytes) : undefined;
  if (untyped !== undefined) return { kind: "text", text: untyped };
  return { kind: "bytes", bytes, mediaType: mediaType === "" ? "application/octet-stream" : mediaType };
}

export function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? "";
}

function tooLarge(maxBytes: number): UnreadableAnswer {
  return new UnreadableAnswer(`its answer is larger than ${maxBytes / 2 ** 20} MB; ask for less`);
}

async function decompress(body: Buffer, header: string, maxBytes: number): Promise<Buffer> {
  const encodings = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (encodings.length === 0) return body;
  if (encodings.length > MOST_ENCODINGS) throw new UnreadableAnswer("its answer is compressed too many times");
  let bytes = body;
  for (const encoding of encodings.toReversed()) bytes = await decompressOnce(bytes, encoding, maxBytes);
  return bytes;
}

async function decompressOnce(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const zlib = await import("node:zlib");
  // Half of the servers that declare `deflate` send it without its header.
  const isRaw = encoding === "deflate" && ((bytes[0] ?? 0) & 15) !== 8;
  const decoders: { readonly [name: string]: (data: Buffer, options: object) => Promise<Buffer> } = {
    gzip: promisify(zlib.gunzip),
    "x-gzip": promisify(zlib.gunzip),
    deflate: promisify(isRaw ? zlib.inflateRaw : zlib.inflate),
    br: promisify(zlib.brotliDecompress),
  };
  const decode = own(decoders, encoding);
  if (decode === undefined) throw new UnreadableAnswer(`its answer has a compression that was not requested`);
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (Object(error).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new UnreadableAnswer(`its compressed answer is corrupt`);
  }
}

function isTextType(type: string): boolean {
  return (
    type.startsWith("text/") ||
    isJsonType(type) ||
    /[+/](?:text|xml|yaml|x-yaml|toml|javascript|ecmascript|graphql|sql|csv|x-ndjson|ndjson|jsonl|json-seq|x-www-form-urlencoded)$/u.test(
      type,
    )
  );
}

function toText(bytes: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Decodes UTF-8 without control characters; `undefined` for anything else. */
function strictText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
