import type { Dispatcher, ToolCall, ToolResult, TurnArguments, TurnOptions } from "@hasp/runtime";
import type { ElicitingServer } from "../questions/ask-client.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import type { ServerRequest } from "../questions/server-request.js";
import type { TaskQuestion, TaskRun } from "./mcp-tasks.js";
import { messageOf } from "@hasp/runtime/internal";
import { InvalidState } from "../questions/signed-states.js";
import { INTERNAL_ERROR, RequestError } from "./call-messages.js";

export interface McpCall {
  readonly call: Omit<ToolCall, "id">;
  readonly options: Pick<TurnOptions, "signal" | "context" | "conversation" | "onProgress" | "trace" | "refuse"> & {
    readonly principal?: string | undefined;
  };
}

/** The outcome of a call: its result, or the result that has the client ask its user. */
export type AnsweredCall = { readonly result: ToolResult } | { readonly question: TaskQuestion };

export interface CallOrigin {
  readonly request: ServerRequest;
  readonly server: ElicitingServer;
  /** Present if the client takes the call as a task when it lasts. */
  readonly task: TaskRun | undefined;
}

export interface McpCalls {
  run(asked: McpCall, origin: CallOrigin): Promise<AnsweredCall>;
  /** Finds a task that outlived its process. */
  findTask?(taskId: string, principal: string | undefined): Promise<FoundTask | undefined>;
}

interface FoundTask {
  readonly createdAt: string;
  run(options: McpCall["options"], origin: CallOrigin): Promise<AnsweredCall>;
}

export function createLiveMcpCalls<Context>(
  dispatcher: Dispatcher<Context>,
  questions: McpQuestions | undefined,
): McpCalls {
  return {
    async run({ call, options }, { request, server }) {
      const round = await questions?.open(request, server);
      // An id may be a number or a text; `7` and `"7"` are two requests.
      const id = round?.callId ?? JSON.stringify(request.id);
      let result: ToolResult | undefined;
      try {
        // The context was chosen when the tools were registered.
        [result] = await dispatcher.dispatch([{ ...call, id }], ...([options] as unknown as TurnArguments<Context>));
      } finally {
        round?.close();
      }
      if (result === undefined) throw new Error("a dispatched call has no result");
      const question = await round?.result();
      return question === undefined ? { result } : { question: { id: undefined, result: question } };
    },
  };
}

/** Hides store errors from clients, since they may name hosts. A client may repeat the call with its state. */
export function withStoreFailures(calls: McpCalls, report: ((error: Error) => void) | undefined): McpCalls {
  async function guarded<Value>(pending: Promise<Value>): Promise<Value> {
    try {
      return await pending;
    } catch (error) {
      if (error instanceof InvalidState) throw error;
      report?.(error instanceof Error ? error : new Error(messageOf(error)));
      throw new RequestError(INTERNAL_ERROR, "The server's call store cannot be used at the moment.");
    }
  }
  return {
    run: (asked, origin) => guarded(calls.run(asked, origin)),
    async findTask(taskId, principal) {
      const found = await guarded((async () => calls.findTask?.(taskId, principal))());
      return found && { ...found, run: (options, origin) => guarded(found.run(options, origin)) };
    },
  };
}
