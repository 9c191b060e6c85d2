import type { JsonObject, JsonValue } from "@hasp/schema";
import { copyJson, deepFreeze, isObject } from "@hasp/base/json";
import type { ToolContent } from "../tool/definition.js";
import { blockText, createTextContent } from "./text.js";

/** The image types that every provider accepts. */
const IMAGE_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** The most base64 characters of the images of a result: no provider accepts more. */
export const MOST_IMAGE_CHARS = 5_000_000;

export function findImage(block: ToolContent): Extract<ToolContent, { type: "image" }> | undefined {
  if (block.type === "image") return block;
  if (block.type !== "resource") return undefined;
  const { mimeType, blob } = block;
  if (blob === undefined || mimeType === undefined || !IMAGE_TYPES.has(mimeType)) return undefined;
  if (blob.length > MOST_IMAGE_CHARS || !isBase64(blob)) return undefined;
  return { type: "image", data: blob, mimeType };
}

/** Splits content into its text, which numbers the images, and the images of the types that a provider takes. */
export function splitImages(
  content: readonly ToolContent[],
  types: ReadonlySet<string> = IMAGE_TYPES,
): { readonly text: string; readonly images: readonly Extract<ToolContent, { type: "image" }>[] } {
  const images: Extract<ToolContent, { type: "image" }>[] = [];
  const lines = content.map((block) => {
    const image = findImage(block);
    return image === undefined || !types.has(image.mimeType) ? blockText(block) : `[image ${images.push(image)}]`;
  });
  return { text: lines.join("\n"), images };
}

/** True if a text is base64: a malformed image would make a provider refuse the whole request. */
function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/u.test(text);
}

export function toContent(given: unknown): readonly ToolContent[] {
  if (typeof given === "string") return createTextContent(given);
  if (!Array.isArray(given)) throw new TypeError("content must be a string or a list of blocks");
  return given.map(toBlock);
}

/** Returns a value as content if it is a list of blocks; otherwise `undefined`. */
export function findContent(value: unknown): readonly ToolContent[] | undefined {
  try {
    return Array.isArray(value) && value.length > 0 ? value.map(toBlock) : undefined;
  } catch {
    return undefined;
  }
}

export function createResourceContent(parts: {
  readonly uri: string;
  readonly mimeType?: unknown;
  readonly text?: unknown;
  readonly blob?: unknown;
}): ToolContent {
  const { uri, mimeType, text, blob } = parts;
  return {
    type: "resource",
    uri,
    ...(typeof mimeType === "string" && { mimeType }),
    ...(typeof text === "string" && { text }),
    ...(typeof blob === "string" && { blob }),
  };
}

function toBlock(block: unknown, index: number): ToolContent {
  const { type, text, data, mimeType, uri, blob, mcp } = (typeof block === "object" && block !== null ? block : {}) as {
    readonly [key in "type" | "text" | "data" | "mimeType" | "uri" | "blob" | "mcp"]?: unknown;
  };
  const original = isObject(mcp) ? { mcp: deepFreeze(copyJson(mcp)) as JsonObject } : {};
  if (type === "text" && typeof text === "string") return { type, text, ...original };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
    return { type, data, mimeType, ...original };
  }
  if (type === "resource" && typeof uri === "string") {
    return { ...createResourceContent({ uri, mimeType, text, blob }), ...original };
  }
  throw new TypeError(
    `content block ${index} must be { type: "text", text }, { type: "image", data, mimeType } or { type: "resource", uri }`,
  );
}

/** The forms of a result that count against its limits. */
export interface Forms {
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue;
  /** The characters of the output as JSON; absent if the first block of the content is that JSON. */
  readonly outputChars?: number;
}

/** Counts the characters of the structured output, as JSON. */
export function measureOutput({ content, output, outputChars }: Forms): number {
  if (output === undefined) return 0;
  const [first] = content;
  return outputChars ?? (first?.type === "text" ? first.text.length : 0);
}

export function measureContent(content: readonly ToolContent[]): number {
  return content.reduce(
    (size, block) => size + ("text" in block && block.text !== undefined ? block.text.length : 0),
    0,
  );
}
