import type { JsonObject } from "@hasp/schema";
import type { Dispatcher, ToolResult } from "@hasp/runtime";
import { readDefinition } from "../../../runtime/src/providers/read-definition.js";
import { plainText } from "../../../runtime/src/results/text.js";
import { frameworkCalls, type QuestionSettings } from "../framework/framework-calls.js";
import { toPlainResult, type PlainResult } from "../framework/plain-result.js";
import { askByInterrupt, createTaskQuestions, type Interrupt } from "./interrupts.js";
import { toMessageContent, type LangChainContent } from "./message-content.js";
import { createStepSessions } from "../framework/step-sessions.js";

/** Settings of {@link toLangChainTools}. */
export interface ToLangChainToolsOptions<Context, Tool, Message> extends QuestionSettings {
  /** The function `tool` of `langchain` or `@langchain/core/tools`. */
  readonly tool: LangChainToolFunction<Tool>;
  /** The class `ToolMessage` of `langchain` or `@langchain/core/messages`. */
  readonly ToolMessage: LangChainToolMessage<Message>;
  /** The dialect of the list. Default `mcp`, plain JSON Schema. LangChain sends the schema as it is: name the provider's. */
  readonly dialect?: string | undefined;
  /** Passed to handlers, checks and hooks. Default: the context of the run. */
  readonly context?: Context | undefined;
}

/** The part of LangChain's `tool` that is used. */
export type LangChainToolFunction<Tool> = (
  run: (input: unknown, config: LangChainCallConfig) => Promise<unknown>,
  fields: LangChainToolFields,
) => Tool;

/** What `tool` is given for each tool. */
export interface LangChainToolFields {
  name: string;
  description: string;
  schema: { type: "object" };
}

/** The part of `ToolMessage` that is used. */
export type LangChainToolMessage<Message> = new (fields: LangChainMessageFields) => Message;

/** What a `ToolMessage` is made of. */
export interface LangChainMessageFields {
  name: string;
  tool_call_id: string;
  status: "success" | "error";
  content: LangChainContent;
  artifact: PlainResult;
}

/** The part of a call's config that is used. LangGraph sets all but the first two. */
export interface LangChainCallConfig {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  readonly writer?: ((chunk: unknown) => void) | null | undefined;
  readonly interrupt?: Interrupt | undefined;
}

/**
 * Creates the dispatcher's tools for `createAgent`, `ToolNode` and `bindTools`. LangChain starts all calls of a response
 * at once; the dispatcher still schedules them. A call is answered with a `ToolMessage`, a failed one with one that says
 * so; its `artifact` is the result for your program. Progress goes to the stream mode `custom`.
 *
 * A tool that is invoked with arguments instead of a call returns its content, and throws if it fails.
 */
export function toLangChainTools<Tool extends object, Message, Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { tool, ToolMessage, dialect = "mcp", context, ...questions }: ToLangChainToolsOptions<Context, Tool, Message>,
): Tool[] {
  const calls = frameworkCalls(dispatcher, questions);
  const asksPeople = questions.approvals !== undefined || questions.turnId !== undefined;
  const inStep = createStepSessions<Context>();
  const inTask = createTaskQuestions();
  let unnamed = 0;

  async function runCall(name: string, input: unknown, config: LangChainCallConfig): Promise<ToolResult> {
    const { configurable = {}, metadata = {}, signal, writer, interrupt } = config;
    // Who invokes a tool by hand may leave the call out; each such call is one of its own.
    const callId = config.toolCall?.id ?? `unnamed-${++unnamed}`;
    const call = { id: callId, name, input, dialect };
    const step = {
      callId,
      step: JSON.stringify([configurable["thread_id"], metadata["langgraph_step"], metadata["langgraph_node"]]),
      context: context ?? config.context,
      signal,
      onProgress: writer == null ? undefined : writer,
    };
    return await inStep(step, async (session) => {
      if (!asksPeople || interrupt === undefined) return await calls.run(call, session);
      // One object per run of a task; its namespace is the same when it runs again.
      const task = configurable["__pregel_scratchpad"] ?? configurable["checkpoint_ns"];
      const answer = await inTask(task, async () => {
        const question = await calls.question(call, session);
        return question === undefined ? undefined : askByInterrupt(interrupt, question);
      });
      return await calls.run(call, session, answer);
    });
  }

  return dispatcher.definitions(dialect).map((entry) => {
    const { name, description, inputSchema } = readDefinition(entry);
    const run = async (input: unknown, config: LangChainCallConfig): Promise<unknown> => {
      const result = await runCall(name, input, config);
      const content = toMessageContent(result.content);
      const id = config.toolCall?.id;
      if (id !== undefined) {
        const status = result.isError ? "error" : "success";
        return new ToolMessage({ name, tool_call_id: id, status, content, artifact: toPlainResult(result) });
      }
      if (result.isError) throw new ToolFailure(plainText(result.content));
      return content;
    };
    // LangChain would check the input itself, without coercion and in other words.
    return withSchema(tool(run, { name, description, schema: { type: "object" } }), inputSchema);
  });
}

/** A failed call that no message can tell of. */
class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** The same tool with the schema that models see. It runs as before: with its own, which accepts any object. */
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
