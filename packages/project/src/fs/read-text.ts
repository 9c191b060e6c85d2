import type { Position } from "../../../compiler/src/diagnostics/diagnostic.js";
import { createReadStream } from "node:fs";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { MEGABYTE } from "../../../compiler/src/phases/1-load/source-text.js";
import { decodeUtf8 } from "./decode-utf8.js";
import { errorCode } from "./entries.js";

type TextOrReason = { readonly text: string } | { readonly reason: string; readonly at?: Position };

const MEGABYTES_OF_A_SOURCE = 64;

/**
 * Reads a file as strict UTF-8, without a byte order mark, or says why it could not. It may be a pipe; an endless one,
 * such as `/dev/zero`, is left in time.
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
    return { reason: REASONS.get(errorCode(error) ?? "") ?? thrownText(error) };
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
