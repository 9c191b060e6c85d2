import { isObject, type JsonValue } from "@hasp/base/json";
import type { Dispatcher } from "@hasp/runtime";
import { readDefinition } from "@hasp/runtime/internal";
import type { CallCompletion } from "@hasp/runtime/internal/durable";
import { createFrameworkCalls, toPlainResult, UNKNOWN_CALL } from "../framework/framework-calls.js";
import type { ToAiSdk7ToolsOptions, ToAiSdkToolsOptions } from "./to-ai-sdk-tools.js";
import { createFilePart, createImageDataPart, createModelOutput } from "./tool-output.js";

type MessagePart = Readonly<Record<string, unknown>>;

/**
 * Takes the outputs of calls that the SDK's client has executed, and returns the messages with the results that the
 * model may read. Pass it the messages before each request, and the options of the tools, which need `durable` and
 * `turnId`.
 *
 * An output is validated and limited like that of any tool. Only the first output counts, and only for a call that was
 * handed out: the model reads its result every time, or why there is none. Rejects if the call store fails, and for an
 * id that no stored turn can have.
 */
export async function completeAiSdkCalls<Message extends { readonly role: string; readonly content: unknown }, Context>(
  dispatcher: Dispatcher<Context>,
  messages: readonly Message[],
  options: ToAiSdkToolsOptions<Context> | ToAiSdk7ToolsOptions<Context>,
): Promise<Message[]> {
  const { dialect = "vercel-ai-sdk", context, conversation, sdk } = options;
  const calls = createFrameworkCalls(dispatcher, { ...options, approvals: undefined }).external;
  if (calls === undefined) throw new TypeError("completeAiSdkCalls needs `durable` and `turnId`.");
  const list = dispatcher.definitions(dialect, { isFixed: true, isShown: false });
  const listed = new Map(list.map((entry) => [readDefinition(entry).name, dispatcher.isAwaited(entry)]));
  const inputs = new Map(
    messages
      .flatMap(({ role, content }) => (role === "assistant" ? partsOf(content, "tool-call") : []))
      .map(({ toolCallId, input }) => [toolCallId, input]),
  );

  const complete = async (part: MessagePart): Promise<MessagePart> => {
    const { toolCallId: id, toolName: name, output } = part;
    if (part["type"] !== "tool-result" || typeof id !== "string" || typeof name !== "string") return part;
    const isAwaited = listed.get(name);
    if (isAwaited === false) return part;
    const call = { id, name, input: inputs.get(id), dialect };
    const result = await calls.complete(call, { context, conversation }, readOutput(output));
    // A tool that is not listed belongs to somebody else, or was listed when the call was handed out.
    if (isAwaited === undefined && result.error?.code === UNKNOWN_CALL) return part;
    const plain = toPlainResult(result);
    const shown = sdk === 7 ? createModelOutput(createFilePart, plain) : createModelOutput(createImageDataPart, plain);
    return { ...part, output: shown };
  };

  const completed: Message[] = [];
  for (const message of messages) {
    const { role, content } = message;
    if (role !== "tool" || !Array.isArray(content)) {
      completed.push(message);
      continue;
    }
    const parts: unknown[] = [];
    for (const part of content as unknown[]) parts.push(isObject(part) ? await complete(part) : part);
    completed.push({ ...message, content: parts });
  }
  return completed;
}

function partsOf(content: unknown, type: string): readonly MessagePart[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.filter((part): part is MessagePart => isObject(part) && part["type"] === type);
}

/** Reads an output as the SDK keeps it in a message. */
function readOutput(output: unknown): CallCompletion {
  const { type, value, reason } = Object(output) as { readonly [part: string]: unknown };
  if (type === "text" || type === "json") return { output: value as JsonValue };
  if (type === "execution-denied") return { error: typeof reason === "string" ? reason : "The person refused it." };
  return { error: typeof value === "string" ? value : (JSON.stringify(value) ?? "The client sent no output.") };
}
