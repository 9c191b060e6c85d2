import type { ToolContent } from "../tool/definition.js";

/** Content as one string, for APIs that carry nothing else: an image is named. */
export function plainText(content: readonly ToolContent[]): string {
  return content.map(blockText).join("\n");
}

/** One block as text. */
export function blockText(block: ToolContent): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return `[an image (${block.mimeType}), which cannot be shown here]`;
    case "resource":
      return block.text === undefined ? `[resource ${block.uri}]` : `[resource ${block.uri}]\n${block.text}`;
  }
}
