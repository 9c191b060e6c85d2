import type { ToolContent, ToolResult } from "@hasp/runtime";
import { findImage } from "../../../runtime/src/results/content.js";
import { blockText, plainText } from "../../../runtime/src/results/text.js";

/** What a function tool of OpenAI Agents returns: a text, or a list where there is an image. */
export type OpenAIAgentsToolOutput =
  string | ({ type: "text"; text: string } | { type: "image"; image: { data: string; mediaType: string } })[];

/** A result as OpenAI Agents takes it. Its protocol has no error flag, so the text names an error. */
export function toToolOutput({ content, isError }: Pick<ToolResult, "content" | "isError">): OpenAIAgentsToolOutput {
  if (isError) return `Error: ${plainText(content)}`;
  return content.some((block) => findImage(block) !== undefined) ? content.map(toItem) : plainText(content);
}

function toItem(block: ToolContent): Exclude<OpenAIAgentsToolOutput, string>[number] {
  const image = findImage(block);
  if (image === undefined) return { type: "text", text: blockText(block) };
  return { type: "image", image: { data: image.data, mediaType: image.mimeType } };
}
