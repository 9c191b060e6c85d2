import type { ToolCall, ToolResult } from "../tool/definition.js";
import { splitImages } from "../results/content.js";
import { plainText } from "../results/text.js";
import { withTruncation } from "./read-wire.js";

/** The parts of a Gemini response that hold calls. */
export interface GeminiResponse {
  readonly candidates?: readonly {
    readonly finishReason?: string;
    readonly content?: {
      readonly parts?: readonly {
        readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
      }[];
    };
  }[];
}

/** The result of one call: a part of the next user content. */
export interface FunctionResponsePart {
  functionResponse: {
    id?: string;
    name: string;
    response: { output: string } | { error: string };
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

/** The types of image that a function response may hold. */
const IMAGES: ReadonlySet<string> = /* @__PURE__ */ new Set(["image/png", "image/jpeg", "image/webp"]);

/** The prefix of ids for calls to which Gemini gave none; they are left out of the results. */
const OWN_ID = "hasp-call-";

/** Reads the calls of the first candidate, in order. A call that was cut off is marked and never runs. */
export function toToolCalls(response: GeminiResponse): readonly ToolCall[] {
  const candidate = response.candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const calls = parts.flatMap((part, index): ToolCall[] => {
    const call = part.functionCall;
    return call === undefined
      ? []
      : [{ id: call.id ?? `${OWN_ID}${index}`, name: call.name ?? "", input: call.args ?? {} }];
  });
  return withTruncation(calls, candidate?.finishReason === "MAX_TOKENS" && parts.at(-1)?.functionCall !== undefined);
}

/**
 * Returns one `functionResponse` part per call, as text: Gemini would interpret keys such as `$ref`. Images are parts of
 * it; with `images: false`, for models before Gemini 3, the text names them.
 */
export function toFunctionResponses(
  results: readonly ToolResult[],
  { images: takesImages = true }: { readonly images?: boolean } = {},
): FunctionResponsePart[] {
  return results.map(({ callId, toolName, calledAs, content, isError }) => {
    const { text, images } = takesImages ? splitImages(content, IMAGES) : { text: plainText(content), images: [] };
    return {
      functionResponse: {
        ...(!callId.startsWith(OWN_ID) && { id: callId }),
        name: calledAs ?? toolName,
        response: isError ? { error: text } : { output: text },
        ...(images.length > 0 && { parts: images.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })) }),
      },
    };
  });
}
