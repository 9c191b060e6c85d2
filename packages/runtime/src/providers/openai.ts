import type { ToolCall, ToolContent, ToolResult } from "../tool/definition.js";
import { findImage, splitImages } from "../results/content.js";
import { blockText, plainText } from "../results/text.js";
import { withTruncation, readWord } from "./read-wire.js";

/** The parts of a Responses API response that hold calls. */
export interface OpenAIResponse {
  readonly output: readonly {
    readonly type: string;
    readonly call_id?: unknown;
    readonly name?: unknown;
    readonly arguments?: unknown;
    readonly status?: unknown;
  }[];
  readonly status?: string | null;
}

/** The parts of a Chat Completions response that hold calls. */
export interface OpenAIChatCompletion {
  readonly choices: readonly {
    readonly finish_reason?: string | null;
    readonly message: {
      readonly tool_calls?:
        | readonly {
            readonly id: string;
            readonly type?: string;
            readonly function?: { readonly name: string; readonly arguments: string };
          }[]
        | null;
    };
  }[];
}

/** The result of one call for the Responses API. */
export interface FunctionCallOutput {
  type: "function_call_output";
  call_id: string;
  output:
    string | ({ type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" })[];
}

/** The result of one call for Chat Completions. */
export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** The images of all results of a turn for Chat Completions, whose `tool` messages hold only text. */
export interface ChatImageMessage {
  role: "user";
  content: ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];
}

/** Reads the calls of a response of either API, in order. A call that was cut off is marked and never runs. */
export function toToolCalls(response: OpenAIResponse | OpenAIChatCompletion): readonly ToolCall[] {
  return "output" in response ? fromResponse(response) : fromChat(response);
}

/** Returns one `function_call_output` item per call, in call order; the text of an error says so. */
export function toFunctionCallOutputs(results: readonly ToolResult[]): FunctionCallOutput[] {
  return results.map(({ callId, content, isError }) => {
    const hasImage = content.some((block) => findImage(block) !== undefined);
    const output = hasImage
      ? [...(isError ? [text("Error:")] : []), ...content.map(toItem)]
      : errorText(content, isError);
    return { type: "function_call_output", call_id: callId, output };
  });
}

/** Returns one `tool` message per call, in call order, and a `user` message with the images, if there are any. */
export function toToolMessages(results: readonly ToolResult[]): (ChatToolMessage | ChatImageMessage)[] {
  const shown: ChatImageMessage["content"] = [];
  const messages = results.map(({ callId, content, isError }): ChatToolMessage => {
    const { text: words, images } = splitImages(content);
    for (const [index, { mimeType, data }] of images.entries()) {
      shown.push({ type: "text", text: `Image ${index + 1} of the result of call ${callId}:` });
      shown.push({ type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } });
    }
    return { role: "tool", tool_call_id: callId, content: isError ? `Error: ${words}` : words };
  });
  return shown.length === 0 ? messages : [...messages, { role: "user", content: shown }];
}

function fromResponse({ output, status }: OpenAIResponse): readonly ToolCall[] {
  const calls = output.flatMap((item): ToolCall[] => {
    if (item.type !== "function_call") return [];
    const call = { id: readWord(item.call_id), name: readWord(item.name), input: item.arguments };
    return [item.status === "incomplete" ? { ...call, truncated: true } : call];
  });
  return withTruncation(calls, status === "incomplete" && output.at(-1)?.type === "function_call");
}

function fromChat({ choices }: OpenAIChatCompletion): readonly ToolCall[] {
  const choice = choices[0];
  const calls = (choice?.message.tool_calls ?? []).flatMap((call): ToolCall[] =>
    call.function === undefined ? [] : [{ id: call.id, name: call.function.name, input: call.function.arguments }],
  );
  return withTruncation(calls, choice?.finish_reason === "length");
}

function errorText(content: readonly ToolContent[], isError: boolean): string {
  return isError ? `Error: ${plainText(content)}` : plainText(content);
}

function toItem(
  block: ToolContent,
): { type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" } {
  const image = findImage(block);
  if (image === undefined) return text(blockText(block));
  return { type: "input_image", image_url: `data:${image.mimeType};base64,${image.data}`, detail: "auto" };
}

function text(words: string): { type: "input_text"; text: string } {
  return { type: "input_text", text: words };
}
