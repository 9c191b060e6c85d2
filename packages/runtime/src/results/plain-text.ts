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
      return `[resource ${block.uri}${block.blob === undefined ? "" : describeBlob(block)}]${block.text === undefined ? "" : `\n${block.text}`}`;
  }
}

function describeBlob({ mimeType = "unknown type", blob = "" }: Pick<Resource, "mimeType" | "blob">): string {
  const padding = /={0,2}$/u.exec(blob)?.[0].length ?? 0;
  return `, ${mimeType}, ${Math.floor(((blob.length - padding) * 3) / 4)} bytes, which cannot be shown here`;
}

type Resource = Extract<ToolContent, { type: "resource" }>;
