import type { JsonObject } from "@hasp/base/json";
import type { Dispatcher, ToolContent, ToolResult } from "@hasp/runtime";
import { readDefinition, findImage, blockText, plainText } from "@hasp/runtime/internal";
import { createFrameworkCalls, listTools, nameCall, type QuestionSettings } from "../framework/framework-calls.js";
import { type AnsweredApprovals, createApprovals } from "../framework/approvals.js";

export interface ToOpenAIAgentsToolsOptions<Context, AgentTool> extends QuestionSettings<Context> {
  readonly tool: OpenAIAgentsToolFunction<AgentTool>;
  /** The dialect of the list: `openai-responses` (default), `openai-chat`, or a strict one. */
  readonly dialect?: string | undefined;
  /** Passed to handlers, checks and hooks. Default: the context of the run. */
  readonly context?: Context | undefined;
}

type OpenAIAgentsToolFunction<AgentTool> = (options: OpenAIAgentsToolOptions) => AgentTool;

interface OpenAIAgentsRunContext {
  readonly context: unknown;
  isToolApproved(approval: { toolName: string; callId: string }): boolean | undefined;
}

interface OpenAIAgentsCallDetails {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}

interface OpenAIAgentsParameters {
  type: "object";
  properties: { [name: string]: JsonObject };
  required: string[];
  additionalProperties: true;
}

interface OpenAIAgentsToolOptions {
  name: string;
  description: string;
  parameters: OpenAIAgentsParameters;
  strict: false;
  deferLoading: boolean;
  needsApproval: false | ((runContext: OpenAIAgentsRunContext, input: unknown, callId?: string) => Promise<boolean>);
  isEnabled: () => boolean;
  execute: (
    input: unknown,
    runContext?: OpenAIAgentsRunContext,
    details?: OpenAIAgentsCallDetails,
  ) => Promise<OpenAIAgentsToolOutput>;
  errorFunction: null;
}

/**
 * Creates the dispatcher's tools for an agent of OpenAI Agents. The SDK starts all calls of a response at once; the
 * dispatcher still schedules them. Every failure is an output that the model reads.
 */
export function toOpenAIAgentsTools<AgentTool, Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { tool, dialect = "openai-responses", context, ...questions }: ToOpenAIAgentsToolsOptions<Context, AgentTool>,
): AgentTool[] {
  const calls = createFrameworkCalls(dispatcher, questions);
  const { conversation } = questions;
  const contextOf = (runContext: OpenAIAgentsRunContext | undefined): Context =>
    context ?? (runContext?.context as Context);
  return listTools(dispatcher, dialect, questions).map((entry) => {
    const { name, description, inputSchema, strict } = readDefinition(entry);
    const isAwaited = dispatcher.isAwaited(entry);
    return tool({
      name,
      description,
      // The list's own schema, completed for the SDK's type.
      parameters: { properties: {}, required: [], ...inputSchema } as unknown as OpenAIAgentsParameters,
      // The SDK ties `strict` to the type of the schema; the list guarantees that they match.
      strict: strict as false,
      deferLoading: entry["defer_loading"] === true,
      isEnabled: () => dispatcher.definitions(dialect).some((other) => readDefinition(other).name === name),
      // Given a function, the SDK asks a person about arguments that are not JSON without calling it.
      needsApproval:
        calls.asksPeople &&
        (async (runContext, input, givenId) => {
          const callId = nameCall(givenId);
          const call = { id: callId, name, input, dialect };
          const session = { context: contextOf(runContext), conversation };
          const question = await calls.question(call, session);
          // A question that is answered already was shown with the input of then.
          if (question !== undefined && runContext.isToolApproved({ toolName: name, callId }) === undefined) {
            calls.show(question);
          }
          if (question !== undefined) return true;
          // The run also stops for somebody who executes a call.
          return isAwaited && (await calls.external?.handOut(call, session)) === true;
        }),
      async execute(input, runContext, { toolCall, signal } = {}) {
        const callId = nameCall(toolCall?.callId);
        const isApproved = runContext?.isToolApproved({ toolName: name, callId }) === true;
        const result = await calls.run(
          { id: callId, name, input, dialect },
          { context: contextOf(runContext), conversation, signal, step: runContext },
          isApproved ? { decision: "allow" } : undefined,
        );
        return toToolOutput(result);
      },
      errorFunction: null,
    });
  });
}

export type OpenAIAgentsApprovals = AnsweredApprovals;

/**
 * Lets OpenAI Agents ask the person: the run ends with an interruption, and the call runs when the run is resumed with
 * `state.approve(interruption)`. An approval is bound to the call id, the tool and the exact input, and lives in this
 * process; with `durable` and `turnId` it outlives the process.
 */
export function openAIAgentsApprovals(): OpenAIAgentsApprovals {
  return createApprovals();
}

/** The return value of a function tool of OpenAI Agents: a text, or a list if there is an image. */
type OpenAIAgentsToolOutput =
  | string
  | ({ type: "text"; text: string } | { type: "image"; image: { data: string; mediaType: string } })[];

/** Converts a result for OpenAI Agents. Its protocol has no error flag, so the text of an error says so. */
function toToolOutput({ content, isError }: Pick<ToolResult, "content" | "isError">): OpenAIAgentsToolOutput {
  if (isError) return `Error: ${plainText(content)}`;
  return content.some((block) => findImage(block) !== undefined) ? content.map(toItem) : plainText(content);
}

function toItem(block: ToolContent): Exclude<OpenAIAgentsToolOutput, string>[number] {
  const image = findImage(block);
  if (image === undefined) return { type: "text", text: blockText(block) };
  return { type: "image", image: { data: image.data, mediaType: image.mimeType } };
}
