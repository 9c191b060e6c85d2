import { NotExecuted } from "@hasp/runtime";

/** The kind of an image, and its size in pixels. */
export interface ImageFacts {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** The limit of models; decoding a larger image may also take any amount of memory. */
export const mostPixelsPerSide = 8000;

/**
 * Reads type and size from the bytes of an image, whatever its file is called. Returns `undefined` if they begin like
 * no image. Throws {@link NotExecuted} if the rest is damaged or too large.
 */
export function readImage(bytes: Buffer): ImageFacts | undefined {
  const format = formats.find(({ begins }) => begins(bytes));
  if (format === undefined) return undefined;
  const { mimeType } = format;
  let size: readonly [width: number, height: number] | undefined;
  try {
    size = format.measure(bytes);
  } catch {
    // Reading past the end: reported below.
  }
  const [width, height] = size ?? [0, 0];
  if (width === 0 || height === 0) throw new NotExecuted(`it begins like ${mimeType}, and the rest is damaged`);
  if (Math.max(width, height) > mostPixelsPerSide) {
    throw new NotExecuted(`it has ${width} × ${height} pixels; at most ${mostPixelsPerSide} a side can be shown`);
  }
  return { mimeType, width, height };
}

interface ImageFormat {
  readonly mimeType: string;
  begins(bytes: Buffer): boolean;
  measure(bytes: Buffer): readonly [width: number, height: number] | undefined;
}

const formats: readonly ImageFormat[] = [
  {
    mimeType: "image/png",
    begins: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1A\n", "latin1")),
    measure: (bytes) =>
      bytes.toString("latin1", 12, 16) === "IHDR" ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined,
  },
  {
    mimeType: "image/gif",
    begins: (bytes) => /^GIF8[79]a/u.test(bytes.toString("latin1", 0, 6)),
    measure: (bytes) => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
  },
  {
    mimeType: "image/jpeg",
    begins: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
    measure: measureJpeg,
  },
  {
    mimeType: "image/webp",
    begins: (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
    measure: measureWebp,
  },
];

/** Goes from segment to segment up to the frame header. */
function measureJpeg(bytes: Buffer): readonly [number, number] | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return undefined;
}

function measureWebp(bytes: Buffer): readonly [number, number] | undefined {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === "VP8 ") return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind !== "VP8L") return undefined;
  const packed = bytes.readUInt32LE(21);
  return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
}
