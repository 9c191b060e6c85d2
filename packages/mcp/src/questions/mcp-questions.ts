import type { AskAnswer, PermissionRequest } from "@hasp/runtime";
import {
  askThroughElicitation,
  type ElicitingServer,
  readBroughtAnswer,
  canAsk,
  requireInput,
  answerOfForm,
  cannotAsk,
  explainNeed,
} from "./ask-client.js";
import { createSignedStates, type SignedStates } from "./signed-states.js";
import type { ServerRequest } from "./server-request.js";

export interface McpQuestionsOptions {
  /** Signs the states sent to clients: at least 32 bytes, equal in all processes that serve them. Default: random. */
  readonly key?: Uint8Array | undefined;
  /** The time for a person to answer. Default: 600. With `durable`, the one of `durableCalls` counts. */
  readonly ttlSeconds?: number | undefined;
}

/** Asks the people at MCP clients; made by {@link mcpQuestions}. */
export interface McpQuestions {
  readonly ask: (request: PermissionRequest) => Promise<AskAnswer>;
  /** Connects a request of a client with the questions about its call. For `registerMcpTools`. */
  readonly open: (request: ServerRequest, server: ElicitingServer) => Promise<QuestionRound>;
  /** Leaves questions about a call in the call store, until the returned function is called. For `registerMcpTools`. */
  readonly leave: (callId: string) => () => void;
}

interface QuestionRound {
  /** The id of the call: the request's id, distinct from the ids of other clients. */
  readonly callId: string;
  /** Returns the result that asks the person; `undefined` if the call does not wait for an answer. */
  result(): Promise<object | undefined>;
  close(): void;
}

/**
 * Creates questions in the way of each client. Those of 2025-11-25 are asked while the call waits (elicitation). Those
 * of 2026-07-28 get the question as the result (`input_required`) and call again with the answer and a signed state:
 * it names the tool, the exact input, the principal and an expiry, and counts once.
 */
export function mcpQuestions({ key, ttlSeconds = 600 }: McpQuestionsOptions = {}): McpQuestions {
  const states = createSignedStates({ key, ttlSeconds });
  const rounds = new Map<string, PendingRound["answer"]>();
  let count = 0;
  return {
    async ask(request) {
      // The n-th call of a program has the program's id and `.n`; no id of a request ends so.
      const callId = request.callId.replace(/(?:\.\d+)+$/, "");
      return (await rounds.get(callId)?.(request, callId !== request.callId)) ?? cannotAsk(request);
    },
    async open(request, server) {
      const callId = `${JSON.stringify(request.id)} ${(count += 1)}`;
      const round = request.isModern ? await modernRound(states, request, server) : elicitingRound(server);
      rounds.set(callId, round.answer);
      return { callId, result: round.result, close: () => void rounds.delete(callId) };
    },
    leave(callId) {
      rounds.set(callId, async () => "later");
      return () => void rounds.delete(callId);
    },
  };
}

interface PendingRound {
  answer(request: PermissionRequest, isOfProgram: boolean): Promise<AskAnswer>;
  result(): Promise<object | undefined>;
}

function elicitingRound(server: ElicitingServer): PendingRound {
  return { answer: askThroughElicitation(server), result: async () => undefined };
}

function notInPrograms(request: PermissionRequest): string {
  const { toolName } = request;
  return `${explainNeed(request)}. In a program, clients of this revision can be asked only if the server keeps calls in a call store. Call ${toolName} by itself.`;
}

async function modernRound(
  states: SignedStates,
  asking: ServerRequest,
  server: ElicitingServer,
): Promise<PendingRound> {
  const { requestState, principal } = asking;
  const settled = requestState === undefined ? undefined : await states.open(requestState, principal);
  let asked: PermissionRequest | undefined;
  return {
    async answer(request, isOfProgram) {
      // The client would run the whole program again.
      if (isOfProgram) return { decision: "deny", reason: notInPrograms(request) };
      const response = readBroughtAnswer(asking);
      if (response !== undefined && settled?.isAbout(request) === true && settled.use()) {
        return answerOfForm(response, request);
      }
      if (!canAsk(asking, server)) return cannotAsk(request);
      asked = request;
      return "later";
    },
    async result() {
      if (asked === undefined) return undefined;
      return requireInput(asked, await states.sign(asked, principal));
    },
  };
}
