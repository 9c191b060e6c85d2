import { buildTool, createDispatcher, type ToolDefinition } from "@hasp/runtime";
import type { CallStore, Question, StoredTurns } from "@hasp/runtime/call-store";
import { durableCalls } from "@hasp/stores";
import {
  registerMcpTools,
  type McpServerConnection,
  type RegisterMcpToolsOptions,
} from "../serving/register-mcp-tools.js";
import { mcpQuestions, type McpQuestionsOptions } from "./mcp-questions.js";
import { informationFlow } from "@hasp/runtime/flow";
import { expect } from "vitest";

const able = { elicitation: {} };
/** The message of a client whose user has filled in the form. */
export const accepted = (decision: string): object => ({ permission: { action: "accept", content: { decision } } });

interface Request {
  readonly input?: object;
  readonly inputResponses?: object;
  readonly requestState?: string;
  readonly principal?: string;
  readonly capabilities?: object;
}

export interface Answer {
  readonly resultType?: string;
  readonly requestState: string;
  readonly inputRequests?: {
    readonly permission: { readonly params: { readonly message: string; readonly requestedSchema: object } };
  };
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

export interface Served {
  readonly send: (request?: Request) => Promise<Answer>;
  /** Answers a stored question. */
  readonly answer: StoredTurns["answer"];
  readonly openQuestions: () => Promise<readonly Question[]>;
  readonly runs: unknown[];
}

/** Creates a server of the revision 2026-07-28 with one tool that asks, and records the tool's calls. */
export function served(
  options?: McpQuestionsOptions,
  {
    runs = [],
    callStore,
    isMild = () => false,
    id = {},
    description = "Wipes.",
    isExternal = false,
    ...serving
  }: {
    readonly runs?: unknown[];
    readonly callStore?: CallStore;
    readonly isMild?: () => boolean;
    /** More of the schema of the tool's only property. */
    readonly id?: object;
    readonly description?: string;
    /** Somebody else executes the calls. */
    readonly isExternal?: boolean;
  } & Pick<RegisterMcpToolsOptions<unknown>, "answerLink" | "conversation" | "onProblem"> = {},
): Served {
  const wipe = buildTool({
    name: "wipe",
    description,
    input: { type: "object", properties: { id: { type: "string", ...id } } },
    concurrency: { rules: [{ when: isMild, class: "WRITE_EXCLUSIVE", isDestructive: false }] },
    ...(isExternal ? { external: true } : { execute: (input: object) => void runs.push(input) }),
  } as ToolDefinition<object>);
  const questions = mcpQuestions(options);
  const server = {
    registerCapabilities: () => undefined,
    assertCanSetRequestHandler: () => undefined,
    sendToolListChanged: async () => undefined,
  } as McpServerConnection;
  const durable = callStore && durableCalls({ store: callStore });
  const dispatcher = createDispatcher({
    tools: [wipe],
    flow: "ask",
    extensions: durable === undefined ? [informationFlow] : [informationFlow, durable],
    permissions: { ask: questions.ask },
  });
  registerMcpTools(server, dispatcher, { questions, durable, ...serving });
  const send = async ({
    input = {},
    capabilities = able,
    principal,
    requestState,
    inputResponses,
  }: Request = {}): Promise<Answer> =>
    (await server.fallbackRequestHandler?.(
      { method: "tools/call", params: { name: "wipe", arguments: input } } as never,
      {
        mcpReq: {
          id: 1,
          signal: new AbortController().signal,
          notify: async () => undefined,
          envelope: { "io.modelcontextprotocol/clientCapabilities": capabilities },
          ...(inputResponses !== undefined && { inputResponses }),
          requestState: () => requestState,
        },
        ...(principal !== undefined && { http: { authInfo: { clientId: "app", extra: { principal } } } }),
      } as never,
    )) as Answer;
  return {
    send,
    answer: async (...given) => (durable ? dispatcher.use(durable).answer(...given) : expect.fail("there is no store")),
    openQuestions: async () => (await callStore?.questions({ isOpen: true })) ?? [],
    runs,
  };
}
