import { isUtf8 } from "node:buffer";

/** Decodes strict UTF-8; a byte order mark stays. Otherwise gives the reason, with the line and byte that break it. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string } | { readonly reason: string } {
  if (isUtf8(bytes)) return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
  const offset = firstInvalid(bytes);
  const before = bytes.subarray(0, offset);
  const line = before.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 1);
  const byte = offset - before.lastIndexOf(LINE_FEED);
  const value = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return { reason: `it is not UTF-8 text: byte ${byte} of line ${line} is 0x${value} (offset ${offset})` };
}

const LINE_FEED = 0x0a;

/** The offset of the first byte that begins no valid character. */
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
