import type { ToolContent } from "../tool/definition.js";

/** The images that every provider takes. */
export const IMAGE_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** The most base64 characters of the images of a result: no provider takes more. */
export const MOST_IMAGE_CHARS = 5_000_000;

/** The image that a block is: an image, or a resource whose bytes are one that every provider takes. */
export function imageOf(block: ToolContent): Extract<ToolContent, { type: "image" }> | undefined {
  if (block.type === "image") return block;
  if (block.type !== "resource") return undefined;
  const { mimeType, blob } = block;
  if (blob === undefined || mimeType === undefined || !IMAGE_TYPES.has(mimeType)) return undefined;
  if (blob.length > MOST_IMAGE_CHARS || !isBase64(blob)) return undefined;
  return { type: "image", data: blob, mimeType };
}

/** Whether a text is base64: an image that is not would make a provider refuse the whole request. */
export function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/u.test(text);
}
