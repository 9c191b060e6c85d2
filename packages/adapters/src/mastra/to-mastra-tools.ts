import type { JsonObject } from "@hasp/base/json";
import { type Dispatcher, standardOf, type StandardSchema, type ToolCall } from "@hasp/runtime";
import { hasHardened, readDefinition } from "@hasp/runtime/internal";
import { type AiSdkModelOutput, createImageDataPart, createModelOutput } from "../ai-sdk/tool-output.js";
import {
  type AnsweredApprovals,
  type CallAnswer,
  type CallQuestion,
  createApprovals,
  readCallAnswer,
} from "../framework/approvals.js";
import {
  createFrameworkCalls,
  listTools,
  nameCall,
  type QuestionSettings,
  type PlainResult,
  toPlainResult,
} from "../framework/framework-calls.js";
import { createStepSessions } from "../framework/step-sessions.js";

export interface ToMastraToolsOptions<Context, Tool> extends QuestionSettings<Context> {
  /** The function `createTool` of `@mastra/core/tools`. */
  readonly createTool: MastraCreateTool<Tool>;
  /** Default `mcp`, plain JSON Schema, which Mastra adapts to the provider. */
  readonly dialect?: string | undefined;
  /** Passed to handlers, checks and hooks. Default: the request context of the run. */
  readonly context?: Context | undefined;
}

type MastraCreateTool<Tool> = (options: MastraToolOptions) => Tool;

interface MastraToolOptions {
  id: string;
  description: string;
  inputSchema: StandardSchema;
  execute: (input: unknown, context: MastraCallContext) => Promise<PlainResult | undefined>;
  toModelOutput: (output: unknown) => AiSdkModelOutput;
}

interface MastraSuspension {
  readonly toolCallId?: string | undefined;
  readonly suspend?: ((question: CallQuestion) => Promise<unknown>) | undefined;
  readonly resumeData?: unknown;
  readonly suspendPayload?: unknown;
}

interface MastraCallContext {
  readonly runId?: string | undefined;
  readonly requestContext?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  readonly writer?: { write(chunk: unknown): Promise<void> } | undefined;
  readonly agent?: MastraSuspension | undefined;
}

/**
 * Creates the dispatcher's tools for an agent of Mastra. Mastra starts the calls of a response at once; the dispatcher
 * still schedules them. Every failure is a result that the model reads; `execute` throws only if a call store fails.
 */
export function toMastraTools<Tool, Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { createTool, dialect = "mcp", context, ...questions }: ToMastraToolsOptions<Context, Tool>,
): { [name: string]: Tool } {
  const calls = createFrameworkCalls(dispatcher, questions);
  const inStep = createStepSessions<Context>(questions.conversation);

  async function execute(name: string, input: unknown, run: MastraCallContext): Promise<PlainResult | undefined> {
    const { suspend, resumeData, suspendPayload } = run.agent ?? {};
    const callId = nameCall(run.agent?.toolCallId);
    const call: ToolCall = { id: callId, name, input, dialect };
    const step = {
      callId,
      step: run.runId ?? crypto.randomUUID(),
      context: context ?? run.requestContext,
      signal: run.abortSignal,
      onProgress: run.writer && ((progress: unknown) => run.writer?.write(progress)),
    };
    return await inStep(step, async (session) => {
      const question = suspend && (await calls.question(call, session));
      if (suspend === undefined || question === undefined) {
        const shown = Object(suspendPayload) as Partial<CallQuestion>;
        const given = resumeData === undefined ? undefined : readCallAnswer(resumeData);
        const isRefused = given?.decision === "deny" && shown.callId === callId;
        return toPlainResult(await (isRefused ? calls.deny(call, session, shown, given) : calls.run(call, session)));
      }
      const answer = answerTo(question, suspendPayload, resumeData);
      calls.show(question, answer !== undefined);
      if (answer !== undefined) return toPlainResult(await calls.run(call, session, answer));
      await suspend(question);
      return undefined;
    });
  }

  return Object.fromEntries(
    listTools(dispatcher, dialect).map((entry) => {
      const { name, description, inputSchema } = readDefinition(entry);
      const tool = createTool({
        id: name,
        description,
        inputSchema: schemaForModels(inputSchema),
        execute: (input, run) => execute(name, input, run),
        toModelOutput: (output) => createModelOutput(createImageDataPart, output as PlainResult),
      });
      return [name, tool];
    }),
  );
}

/** Returns the answer to the question that was asked; `undefined` if that was about another call or a milder one. */
function answerTo(question: CallQuestion, asked: unknown, answer: unknown): CallAnswer | undefined {
  const shown = Object(asked) as CallQuestion;
  const isSame = (["callId", "inputDigest", "toolDigest"] as const).every((part) => shown[part] === question[part]);
  return isSame && !hasHardened(shown, question) ? readCallAnswer(answer) : undefined;
}

/** Creates a schema that accepts any value, since the dispatcher validates. */
function schemaForModels(schema: JsonObject): StandardSchema {
  const { "~standard": standard } = standardOf(schema);
  return Object.freeze({ "~standard": Object.freeze({ ...standard, validate: (value: unknown) => ({ value }) }) });
}

export type MastraApprovals = AnsweredApprovals;

/**
 * Lets Mastra ask the person: a call suspends the run with a {@link CallQuestion}, and runs when the run is resumed
 * with a `CallAnswer`. With `durable` and `turnId`, no effect happens twice.
 */
export function mastraApprovals(): MastraApprovals {
  return createApprovals();
}
