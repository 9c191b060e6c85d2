import type { JsonObject } from "@hasp/base/json";
import type { Dispatcher, ToolContent, ToolResult } from "@hasp/runtime";
import { readDefinition, blockText, plainText, findImage } from "@hasp/runtime/internal";
import {
  createFrameworkCalls,
  listTools,
  nameCall,
  type QuestionSettings,
  type PlainResult,
  toPlainResult,
} from "../framework/framework-calls.js";
import { askByInterrupt, createTaskQuestions, type Interrupt } from "./interrupts.js";
import { createStepSessions } from "../framework/step-sessions.js";

export interface ToLangChainToolsOptions<Context, Tool, Message> extends QuestionSettings<Context> {
  /** The function `tool` of `langchain` or `@langchain/core/tools`. */
  readonly tool: LangChainToolFunction<Tool>;
  /** The class `ToolMessage` of `langchain` or `@langchain/core/messages`. */
  readonly ToolMessage: LangChainToolMessage<Message>;
  /** Default `mcp`. LangChain sends the schema unchanged, so name the provider's dialect. */
  readonly dialect?: string | undefined;
  /** Passed to handlers, checks and hooks. Default: the context of the run. */
  readonly context?: Context | undefined;
}

/** The part of LangChain's `tool` that is used. */
type LangChainToolFunction<Tool> = (
  run: (input: unknown, config: LangChainCallConfig) => Promise<unknown>,
  fields: LangChainToolFields,
) => Tool;

interface LangChainToolFields {
  name: string;
  description: string;
  schema: { type: "object" };
}

type LangChainToolMessage<Message> = new (fields: LangChainMessageFields) => Message;

interface LangChainMessageFields {
  name: string;
  tool_call_id: string;
  status: "success" | "error";
  content: LangChainContent;
  artifact: PlainResult;
}

interface LangChainCallConfig {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  readonly writer?: ((chunk: unknown) => void) | null | undefined;
  readonly interrupt?: Interrupt | undefined;
}

/**
 * Creates the dispatcher's tools for `createAgent`, `ToolNode` and `bindTools`. LangChain starts all calls of a
 * response at once; the dispatcher still schedules them. A call is answered with a `ToolMessage`, whose `artifact` is
 * the result for your program; progress goes to the stream mode `custom`. A tool that is invoked with arguments
 * instead of a call returns its content, and throws if it fails.
 */
export function toLangChainTools<Tool extends object, Message, Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { tool, ToolMessage, dialect = "mcp", context, ...questions }: ToLangChainToolsOptions<Context, Tool, Message>,
): Tool[] {
  const calls = createFrameworkCalls(dispatcher, questions);
  const inStep = createStepSessions<Context>(questions.conversation);
  const inTask = createTaskQuestions();

  async function runCall(name: string, input: unknown, config: LangChainCallConfig): Promise<ToolResult> {
    const { configurable = {}, metadata = {}, signal, writer, interrupt } = config;
    const callId = nameCall(config.toolCall?.id);
    const call = { id: callId, name, input, dialect };
    const step = {
      callId,
      step: nameStep(configurable, metadata),
      context: context ?? config.context,
      signal,
      onProgress: writer == null ? undefined : writer,
    };
    return await inStep(step, async (session) => {
      if (!calls.asksPeople || interrupt === undefined) return await calls.run(call, session);
      // One object per run of a task; its namespace is the same when it runs again.
      const task = configurable["__pregel_scratchpad"] ?? configurable["checkpoint_ns"];
      const answer = await inTask(task, async () => {
        const question = await calls.question(call, session);
        return question && askByInterrupt(interrupt, question, calls.show);
      });
      return await calls.run(call, session, answer);
    });
  }

  return listTools(dispatcher, dialect).map((entry) => {
    const { name, description, inputSchema } = readDefinition(entry);
    const run = async (input: unknown, config: LangChainCallConfig): Promise<unknown> => {
      const result = await runCall(name, input, config);
      const content = toMessageContent(result.content);
      const id = config.toolCall?.id;
      if (id !== undefined) {
        const status = result.isError ? "error" : "success";
        return new ToolMessage({ name, tool_call_id: id, status, content, artifact: toPlainResult(result) });
      }
      if (result.isError) throw new LangChainToolFailure(plainText(result.content));
      return content;
    };
    // LangChain would validate the input itself, without coercion and with other messages.
    return withSchema(tool(run, { name, description, schema: { type: "object" } }), inputSchema);
  });
}

/** Names the step that a call belongs to. Without a thread, equal numbers of steps are those of any runs. */
function nameStep(
  { thread_id: thread, __pregel_task_id: task = crypto.randomUUID() }: { readonly [key: string]: unknown },
  { langgraph_step: step, langgraph_node: node }: { readonly [key: string]: unknown },
): string {
  return JSON.stringify(thread === undefined ? ["task", task] : ["thread", thread, step, node]);
}

class LangChainToolFailure extends Error {
  override readonly name = "LangChainToolFailure";
}

/** Returns the tool with the schema that models see. The tool itself keeps a schema that accepts any object. */
function withSchema<Tool extends object>(tool: Tool, schema: JsonObject): Tool {
  const { invoke, call } = tool as { readonly [method: string]: unknown };
  const bound = (method: unknown): PropertyDescriptor => ({
    value: typeof method === "function" ? (method.bind(tool) as unknown) : method,
  });
  return Object.create(tool, {
    schema: { value: schema, enumerable: true },
    invoke: bound(invoke),
    call: bound(call),
  }) as Tool;
}

type LangChainContent = string | ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];

/** Converts content to the form that the chat models of all providers accept. */
function toMessageContent(content: readonly ToolContent[]): LangChainContent {
  return content.some((block) => findImage(block) !== undefined) ? content.map(toBlock) : plainText(content);
}

function toBlock(block: ToolContent): Exclude<LangChainContent, string>[number] {
  const image = findImage(block);
  if (image === undefined) return { type: "text", text: blockText(block) };
  return { type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
}
