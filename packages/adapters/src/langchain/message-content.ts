import type { ToolContent } from "@hasp/runtime";
import { findImage } from "../../../runtime/src/results/content.js";
import { blockText, plainText } from "../../../runtime/src/results/text.js";

/** The content of a `ToolMessage`: a text, or blocks where there is an image. */
export type LangChainContent =
  string | ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];

/** Content in the form that the chat models of all providers take. */
export function toMessageContent(content: readonly ToolContent[]): LangChainContent {
  return content.some((block) => findImage(block) !== undefined) ? content.map(toBlock) : plainText(content);
}

function toBlock(block: ToolContent): Exclude<LangChainContent, string>[number] {
  const image = findImage(block);
  if (image === undefined) return { type: "text", text: blockText(block) };
  return { type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
}
