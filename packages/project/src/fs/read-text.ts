import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { type Position, printThrown } from "@hasp/base/diagnostics";
import { MEGABYTE } from "@hasp/compiler/source";
import { readErrorCode } from "./entries.js";

type DecodedText = { readonly text: string } | { readonly reason: string; readonly at: Position };

/** Decodes strict UTF-8 and keeps a byte order mark; or returns the reason, and the place of the invalid byte. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (isUtf8(bytes)) return { text: decoder.decode(bytes) };
  const offset = firstInvalid(bytes);
  const before = bytes.subarray(0, offset);
  const line = before.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 1);
  const lineStart = before.lastIndexOf(LINE_FEED) + 1;
  const value = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return {
    reason: `it is not UTF-8 text: byte ${offset - lineStart + 1} of line ${line} is 0x${value} (offset ${offset})`,
    at: {
      offset: decoder.decode(before).length,
      line,
      column: decoder.decode(before.subarray(lineStart)).length + 1,
    },
  };
}

const LINE_FEED = 0x0a;

/** Finds the offset of the first byte that begins no valid character. */
function firstInvalid(bytes: Uint8Array): number {
  let offset = 0;
  while (offset < bytes.length) {
    const lead = bytes[offset] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > 1 && !isUtf8(bytes.subarray(offset, offset + length))) return offset;
    offset += length;
  }
  return offset;
}

type TextOrReason = { readonly text: string } | { readonly reason: string; readonly at?: Position };

const MEGABYTES_OF_A_SOURCE = 64;

/**
 * Reads a file or pipe as strict UTF-8, without a byte order mark, or returns the reason for a failure. Stops reading
 * an endless one, such as `/dev/zero`.
 */
export async function readText(path: string): Promise<TextOrReason> {
  try {
    const bytes = await bytesOf(path);
    if (bytes === undefined) {
      return { reason: `it has more than ${MEGABYTES_OF_A_SOURCE} MB, and hasp reads no further` };
    }
    const decoded = decodeUtf8(bytes);
    return "text" in decoded ? { text: decoded.text.replace(/^\uFEFF/u, "") } : decoded;
  } catch (error) {
    return { reason: REASONS.get(readErrorCode(error) ?? "") ?? printThrown(error) };
  }
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MEGABYTES_OF_A_SOURCE * MEGABYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EACCES", "you are not allowed to read it"],
]);
