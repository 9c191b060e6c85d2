import type { ToolContent } from "../tool/definition.js";

export function createTextContent(text: string): readonly ToolContent[] {
  return [{ type: "text", text }];
}

/** Cuts a string to at most `limit` characters, never inside a surrogate pair; an ellipsis marks the cut. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${head(text, Math.max(0, limit - 1))}…`;
}

export function head(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Returns the message of a thrown value, which may be anything, even an object that cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown =
      typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }).message : undefined;
    if (typeof message === "string" && message !== "") return message;
    return thrown === undefined ? "undefined was thrown" : String(thrown);
  } catch {
    return "a value that cannot be printed was thrown";
  }
}

/** Joins content into one string, for APIs that carry only text: an image is named. */
export function plainText(content: readonly ToolContent[]): string {
  return content.map(blockText).join("\n");
}

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

function describeBlob({ mimeType = "unknown type", blob = "" }: Pick<ResourceContent, "mimeType" | "blob">): string {
  const padding = /={0,2}$/u.exec(blob)?.[0].length ?? 0;
  return `, ${mimeType}, ${Math.floor(((blob.length - padding) * 3) / 4)} bytes, which cannot be shown here`;
}

type ResourceContent = Extract<ToolContent, { type: "resource" }>;
