import type { ToolCall, ToolContent, ToolResult } from "../tool/definition.js";
import { findImage } from "../results/content.js";
import { blockText, plainText } from "../results/text.js";
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
import type { AnthropicTool } from "@hasp/schema/internal/entries";
import type { Dispatcher } from "../dispatch/state/dispatcher-types.js";
import { runOneByOne } from "./calls-one-by-one.js";

/** The parts of an Anthropic message that hold calls. */
interface AnthropicMessage {
  readonly content: readonly {
    readonly type: string;
    readonly id?: unknown;
    readonly name?: unknown;
    readonly input?: unknown;
    readonly caller?: unknown;
    readonly toolset_name?: unknown;
  }[];
  readonly stop_reason?: string | null;
}

/** A block inside a `tool_result`. */
type AnthropicResultContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: AnthropicImageType; data: string } };
type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** The result of one call, for the next user message, before any text in it. */
export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: AnthropicResultContent[];
  is_error?: true;
}

type AnthropicBlock = AnthropicMessage["content"][number];

const WORDS: readonly string[] = ["text", "thinking", "redacted_thinking"];

/** The ends of a whole response. `null` is none: the stream broke off. */
const COMPLETE: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  undefined,
  "end_turn",
  "pause_turn",
  "stop_sequence",
  "tool_use",
]);

/**
 * Reads a response: its calls, in order, and its `others`, such as calls of Anthropic's own toolsets, which a tool of the
 * same name must not run. A call that was cut off is marked and never runs.
 */
export function toToolCalls({ content, stop_reason: reason }: AnthropicMessage): ReadResponse {
  const calls = content.flatMap((block, index): ToolCall[] =>
    isOwnCall(block)
      ? [{ id: readId(block.id, index), name: readWord(block.name), input: block.input, ...readMaker(block) }]
      : [],
  );
  const others = content.flatMap((block) =>
    isOwnCall(block) || WORDS.includes(block.type)
      ? []
      : [{ block, ...(block.type === "tool_use" && { id: readWord(block.id) }) }],
  );
  const last = content.at(-1);
  const isCutOff = !COMPLETE.has(reason) && last !== undefined && isOwnCall(last);
  return { calls: withTruncation(calls, isCutOff), others };
}

function isOwnCall({ type, toolset_name: toolset }: AnthropicBlock): boolean {
  return type === "tool_use" && (toolset === undefined || toolset === null);
}

/**
 * Returns one `tool_result` block per call, for the start of the next user message. With `turn`, the answer of
 * `toToolCalls`, the host's own `answers` follow, and a turn that is not answered as a whole is refused with a `TypeError`.
 */
export function toToolResultBlocks<Answer extends { readonly tool_use_id: string } = never>(
  results: readonly ToolResult[],
  answered?: AnsweredTurn<Answer>,
): (AnthropicToolResult | Answer)[] {
  const answers = completeTurn(results, answered, ({ tool_use_id: id }) => id);
  return [...results.map(toResultBlock), ...answers];
}

function toResultBlock({ callId, content, isError }: ToolResult): AnthropicToolResult {
  return {
    type: "tool_result",
    tool_use_id: writeId(callId),
    // The API refuses a whole request for one empty text.
    content: content.map(toBlock).filter((block) => block.type !== "text" || block.text !== ""),
    ...(isError && { is_error: true as const }),
  };
}

function toBlock(block: ToolContent): AnthropicResultContent {
  const { mimeType = "", data = "" } = findImage(block) ?? {};
  if (isImageType(mimeType)) return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  return { type: "text", text: blockText(block) };
}

function isImageType(mimeType: string): mimeType is AnthropicImageType {
  return ["image/jpeg", "image/png", "image/gif", "image/webp"].includes(mimeType);
}

export interface ToAnthropicRunnableToolsOptions<Context> {
  /** `anthropic` (default) or `anthropic-strict`: the list that the model sees. */
  readonly dialect?: "anthropic" | "anthropic-strict" | undefined;
  readonly context?: Context | undefined;
  /** The conversation whose labels the calls read and add to. Default: the dispatcher's. */
  readonly conversation?: string | undefined;
}

/** The part of the runner's context that is used. */
interface AnthropicRunContext {
  readonly toolUse: { readonly id: string };
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool for `client.beta.messages.toolRunner({ tools })`: the entry for the API, and the function that runs it. */
export interface AnthropicRunnableTool extends AnthropicTool {
  parse: (input: unknown) => unknown;
  run: (input: unknown, context?: AnthropicRunContext) => Promise<AnthropicResultContent[]>;
}

/**
 * Creates the dispatcher's tools for the tool runner of Anthropic's package. The runner may start all calls of a reply
 * at once; the dispatcher still schedules them. A failed call throws, because the runner takes errors that way; its
 * message is the one for the model.
 *
 * Create a set for each conversation: calls that overlap in one set count as calls of one reply.
 */
export function toAnthropicRunnableTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { dialect = "anthropic", context, conversation }: ToAnthropicRunnableToolsOptions<Context> = {},
): AnthropicRunnableTool[] {
  const run = runOneByOne(dispatcher);
  let unnamed = 0;
  const list = dispatcher.definitions(dialect, { isFixed: true });
  // The runner cannot wait for somebody who executes a call elsewhere.
  return list.flatMap((entry) => {
    if (dispatcher.isAwaited(entry)) return [];
    const definition = entry as unknown as AnthropicTool;
    const tool: AnthropicRunnableTool = {
      ...definition,
      parse: (input) => input,
      async run(input, runContext) {
        // A caller of `run` may omit the context; each such call counts as separate.
        const id = runContext?.toolUse.id ?? `unnamed-${++unnamed}`;
        const signal = runContext?.signal ?? undefined;
        const result = await run({ id, name: definition.name, input, dialect }, { signal, context, conversation });
        if (result.isError) throw new ToolFailure(plainText(result.content));
        return toResultBlock(result).content;
      },
    };
    return [tool];
  });
}

/** An error result in the form the runner expects. */
class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
