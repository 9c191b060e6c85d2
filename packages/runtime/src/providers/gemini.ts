import type { ToolCall, ToolResult } from "../tool/definition.js";
import { splitImages } from "../results/content.js";
import { plainText } from "../results/text.js";
import { type AnsweredTurn, completeTurn, readId, type ReadResponse, withTruncation, writeId } from "./read-wire.js";

/** The parts of a Gemini response that hold calls. */
interface GeminiResponse {
  readonly candidates?: readonly {
    readonly finishReason?: string;
    readonly content?: {
      readonly parts?: readonly {
        readonly functionCall?: {
          readonly id?: string;
          readonly name?: string;
          readonly args?: unknown;
          /** Present if the arguments come in pieces: this is one of them. */
          readonly willContinue?: boolean;
          readonly partialArgs?: readonly unknown[];
        } | null;
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

/**
 * Reads the first candidate: its calls, in order, and its `others`, such as code that Gemini has run. A call that was cut
 * off is marked and never runs.
 */
export function toToolCalls(response: GeminiResponse): ReadResponse {
  const candidate = response.candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const calls = parts.flatMap((part, index): ToolCall[] => {
    if (!part.functionCall) return [];
    const { id, name, args, willContinue, partialArgs } = part.functionCall;
    const mark = (willContinue || partialArgs) && { truncated: true };
    return [{ id: readId(id, index), name: name ?? "", input: args ?? {}, ...mark }];
  });
  // Any other end than STOP, such as SAFETY or one that does not exist yet, may have cut the last call off.
  const { finishReason = "STOP" } = candidate ?? {};
  const isCutOff = finishReason !== "STOP" && Boolean(parts.at(-1)?.functionCall);
  const others = parts.flatMap((block) => (!block.functionCall && !("text" in block) ? [{ block }] : []));
  return { calls: withTruncation(calls, isCutOff), others };
}

/**
 * Returns one `functionResponse` part per call, as text: Gemini would interpret keys such as `$ref`. Images are parts of
 * it; with `images: false`, for models before Gemini 3, the text names them. With `turn`, the answer of `toToolCalls`, a
 * turn that is not answered as a whole is refused with a `TypeError`.
 */
export function toFunctionResponses(
  results: readonly ToolResult[],
  { images: takesImages = true, turn }: { readonly images?: boolean } & Partial<Pick<AnsweredTurn<never>, "turn">> = {},
): FunctionResponsePart[] {
  completeTurn(results, turn && { turn }, () => undefined);
  return results.map(({ callId, toolName, calledAs, content, isError }) => {
    const { text, images } = takesImages ? splitImages(content, IMAGES) : { text: plainText(content), images: [] };
    return {
      functionResponse: {
        ...(writeId(callId) !== "" && { id: callId }),
        name: calledAs ?? toolName,
        response: isError ? { error: text } : { output: text },
        ...(images.length > 0 && { parts: images.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })) }),
      },
    };
  });
}
