import type { ToolContent, ToolResult } from "@hasp/runtime";
import { imageOf } from "../../../runtime/src/results/image.js";
import { blockText, plainText } from "../../../runtime/src/results/plain-text.js";

/** What a function tool of OpenAI Agents returns: a text, or a list where there is an image. */
export type OpenAIAgentsToolOutput =
  string | ({ type: "text"; text: string } | { type: "image"; image: { data: string; mediaType: string } })[];

/** A result as OpenAI Agents takes it. Its protocol has no error flag, so the text names an error. */
export function toToolOutput({ content, isError }: Pick<ToolResult, "content" | "isError">): OpenAIAgentsToolOutput {
  if (isError) return `Error: ${plainText(content)}`;
  return content.some((block) => imageOf(block) !== undefined) ? content.map(toItem) : plainText(content);
}

function toItem(block: ToolContent): Exclude<OpenAIAgentsToolOutput, string>[number] {
  const image = imageOf(block);
  if (image === undefined) return { type: "text", text: blockText(block) };
  return { type: "image", image: { data: image.data, mediaType: image.mimeType } };
}
