import type { ToolCall, ToolContent, ToolResult } from "../tool/definition.js";
import { findImage, splitImages } from "../results/content.js";
import { blockText, plainText } from "../results/text.js";
import { findOrAdd, readOwnMember } from "@hasp/base/json";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import {
  type AnsweredTurn,
  completeTurn,
  readId,
  readMaker,
  readWord,
  type ReadResponse,
  withTruncation,
  writeId,
} from "./read-wire.js";

/** The parts of a Responses API response that hold calls. */
interface OpenAIResponse {
  readonly output: readonly {
    readonly type: string;
    readonly call_id?: unknown;
    readonly name?: unknown;
    readonly arguments?: unknown;
    readonly input?: unknown;
    readonly status?: unknown;
    readonly caller?: unknown;
    readonly namespace?: unknown;
  }[];
  readonly status?: string | null;
  /** The tools of the request, which the API repeats. */
  readonly tools?: readonly { readonly type: string; readonly name?: unknown; readonly tools?: unknown }[];
}

/** The parts of a Chat Completions response that hold calls. */
interface OpenAIChatCompletion {
  readonly choices: readonly {
    readonly finish_reason?: string | null;
    readonly message: {
      readonly tool_calls?:
        | readonly {
            readonly id: string;
            readonly type?: string;
            readonly custom?: unknown;
            readonly function?: { readonly name: string; readonly arguments: string } | null;
          }[]
        | null;
    };
  }[];
}

/** The result of one call for the Responses API; `custom_tool_call_output` if the model sent bare text. */
export interface FunctionCallOutput {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  caller?: { type: "direct" } | { type: "program"; caller_id: string };
  namespace?: string;
  output:
    | string
    | ({ type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" })[];
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

/**
 * Reads a response of either API: its calls, in order, and its `others`, such as calls of OpenAI's own tools, of kinds that
 * do not exist yet, and of a namespace that has a function of the same name as the plain list. Calls of custom tools
 * are among its calls only if `tools`, the list that was sent, has those; pass it also if it has namespaces. A call that
 * was cut off is marked and never runs.
 */
export function toToolCalls(
  response: OpenAIResponse | OpenAIChatCompletion,
  tools: readonly object[] = [],
): ReadResponse {
  const sent = readSent(tools);
  return "output" in response ? fromResponse(response, sent) : fromChat(response, sent.custom);
}

/** The tools of a list by name: functions and custom tools, each with the namespaces that hold it; `""` is none. */
type SentTools = { readonly [kind in "function" | "custom"]: ReadonlyMap<unknown, ReadonlySet<string>> };

function readSent(tools: readonly object[]): SentTools {
  const sent = { function: new Map<unknown, Set<string>>(), custom: new Map<unknown, Set<string>>() };
  const read = (entries: readonly object[], namespace: string): void => {
    for (const entry of entries) {
      const { type, name, custom, tools: inner } = entry as { readonly [field: string]: unknown };
      if (type === "namespace" && Array.isArray(inner) && namespace === "") read(inner, String(name));
      const called = readOwnMember(custom, "name") ?? name;
      if ((type !== "function" && type !== "custom") || typeof called !== "string") continue;
      const holders = findOrAdd(sent[type], called, () => new Set<string>());
      holders.add(namespace);
    }
  };
  read(tools, "");
  return sent;
}

/**
 * Returns one output item per call, in call order; the text of an error says so. With `turn`, the answer
 * of `toToolCalls`, the host's own `answers` follow, and a turn that is not answered as a whole is refused with a `TypeError`.
 */
export function toFunctionCallOutputs<Answer extends { readonly call_id?: string | null } = never>(
  results: readonly ToolResult[],
  answered?: AnsweredTurn<Answer>,
): (FunctionCallOutput | Answer)[] {
  const answers = completeTurn(results, answered, ({ call_id: id }) => id);
  const outputs = results.map(({ callId, content, isError, origin }): FunctionCallOutput => {
    const hasImage = content.some((block) => findImage(block) !== undefined);
    const output = hasImage
      ? [...(isError ? [text("Error:")] : []), ...content.map(toItem)]
      : errorText(content, isError);
    const { caller, namespace, type } = origin ?? {};
    return {
      type: type === "custom" ? "custom_tool_call_output" : "function_call_output",
      call_id: writeId(callId),
      // As it was received.
      ...(caller !== undefined && { caller: caller as NonNullable<FunctionCallOutput["caller"]> }),
      ...(namespace !== undefined && type === undefined && { namespace }),
      output,
    };
  });
  return [...outputs, ...answers];
}

/**
 * Returns one `tool` message per call, in call order, and a `user` message with the images, if there are any. `turn` and
 * `answers` as for {@link toFunctionCallOutputs}.
 */
export function toToolMessages<Answer extends { readonly tool_call_id: string } = never>(
  results: readonly ToolResult[],
  answered?: AnsweredTurn<Answer>,
): (ChatToolMessage | ChatImageMessage | Answer)[] {
  const answers = completeTurn(results, answered, ({ tool_call_id: id }) => id);
  const shown: ChatImageMessage["content"] = [];
  const messages = results.map(({ callId, content, isError }): ChatToolMessage => {
    const { text: words, images } = splitImages(content);
    for (const [index, { mimeType, data }] of images.entries()) {
      shown.push({ type: "text", text: `Image ${index + 1} of the result of call ${callId}:` });
      shown.push({ type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } });
    }
    return { role: "tool", tool_call_id: writeId(callId), content: isError ? `Error: ${words}` : words };
  });
  const images: ChatImageMessage[] = shown.length === 0 ? [] : [{ role: "user", content: shown }];
  return [...messages, ...answers, ...images];
}

const WORDS: readonly string[] = ["message", "reasoning"];

function fromResponse({ output, status, tools = [] }: OpenAIResponse, sent: SentTools): ReadResponse {
  const isText = ({ type }: OpenAIItem): boolean => type === "custom_tool_call";
  const isOwn = (item: OpenAIItem): boolean => {
    const { type, name, namespace = "" } = item;
    if (type !== "function_call" && !isText(item)) return false;
    const holders = sent[type === "function_call" ? "function" : "custom"].get(name);
    if (holders !== undefined && typeof namespace === "string" && holders.has(namespace)) return true;
    // Of a function that was sent outside namespaces, a call may still name one by which OpenAI loaded it.
    const mayBePlain = holders === undefined ? !isText(item) : holders.has("");
    return mayBePlain && !isForeign(item, tools);
  };
  const calls = output.flatMap((item, index): ToolCall[] => {
    if (!isOwn(item)) return [];
    const { call_id: id, name, arguments: given } = item;
    const input = isText(item) ? { [TEXT_MEMBER]: item.input } : given;
    const call = { id: readId(id, index), name: readWord(name), input, ...readMaker(item) };
    return [isCutOff(item.status, input) ? { ...call, truncated: true } : call];
  });
  const isOutput = ({ type }: OpenAIItem): boolean => type.endsWith("_output");
  const answered = new Set(output.filter(isOutput).map((item) => item.call_id));
  const others = output.flatMap((block) => {
    if (isOwn(block) || WORDS.includes(block.type)) return [];
    const id = readWord(block.call_id);
    // What OpenAI has run itself is answered already.
    return [{ block, ...(id !== "" && !answered.has(block.call_id) && { id }) }];
  });
  const last = output.at(-1);
  return {
    calls: withTruncation(calls, last !== undefined && isOwn(last) && isCutOff(status, last.arguments)),
    others,
  };
}

type OpenAIItem = OpenAIResponse["output"][number];

/** True for a call of a namespace that has a function of the same name as the plain list. */
function isForeign({ name, namespace }: OpenAIItem, tools: NonNullable<OpenAIResponse["tools"]>): boolean {
  if (typeof namespace !== "string") return false;
  const found = tools.find((tool) => tool.type === "namespace" && tool.name === namespace)?.tools;
  return [tools, found].every(
    (list) =>
      Array.isArray(list) &&
      list.some(({ type, name: other }) => other === name && (type === "function" || type === "custom")),
  );
}

function fromChat({ choices }: OpenAIChatCompletion, texts: SentTools["custom"]): ReadResponse {
  const choice = choices[0];
  const blocks = choice?.message.tool_calls ?? [];
  const isText = ({ custom }: (typeof blocks)[number]): boolean => texts.has(readOwnMember(custom, "name"));
  const calls = blocks.flatMap((block, index): ToolCall[] => {
    const { id, function: called, custom } = block;
    if (called) return [{ id: readId(id, index), name: called.name, input: called.arguments }];
    if (!isText(block)) return [];
    const { name, input } = custom as { readonly name: unknown; readonly input?: unknown };
    return [{ id: readId(id, index), name: readWord(name), input: { [TEXT_MEMBER]: input } }];
  });
  const others = blocks.flatMap((block) => (!block.function && !isText(block) ? [{ block, id: block.id }] : []));
  return { calls: withTruncation(calls, isCutOff(choice?.finish_reason, calls.at(-1)?.input)), others };
}

const COMPLETE: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  undefined,
  "completed",
  "stop",
  "tool_calls",
  "function_call",
]);
const TOO_LONG: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["incomplete", "length"]);

/**
 * True if the end that a response states is one at which its last call may be incomplete. Some servers state other ends.
 * Then a call counts as cut off if it has no text at all, or if it has bare text, which looks whole wherever it is cut; a
 * JSON text that was cut off does not parse.
 */
function isCutOff(end: unknown, input: unknown): boolean {
  return TOO_LONG.has(end) || (!COMPLETE.has(end) && (typeof input !== "string" || input.trim() === ""));
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
