import type { JsonObject } from "@hasp/schema";
import type { Dispatcher } from "../contract/dispatcher.js";
import { standardOf, type StandardSchema } from "../standard/standard-schema.js";
import { callsOneByOne } from "../wire/calls-one-by-one.js";
import { readDefinition } from "../wire/read-definition.js";
import type { AiSdkApprovals } from "./approvals.js";
import { toModelOutput, toToolOutput, type AiSdkModelOutput, type AiSdkToolOutput } from "./tool-output.js";

/** Settings of {@link toAiSdkTools}. */
export interface ToAiSdkToolsOptions<Context> {
  /**
   * The list whose names and schemas the model sees. Default `vercel-ai-sdk`, which leaves the schema to the SDK's provider
   * package; name the provider's own dialect (`openai-responses`, `anthropic`, …) to send what hasp lowered for it.
   */
  readonly dialect?: string | undefined;
  /** Handed to handlers, checks and hooks. */
  readonly context?: Context | undefined;
  /** Lets the SDK ask the person for calls that need it; else the dispatcher's own permissions decide while the call waits. */
  readonly approvals?: AiSdkApprovals | undefined;
}

/** What of the AI SDK's call options is used. */
export interface AiSdkCallOptions {
  readonly toolCallId: string;
  /** The same list for all calls of one step. */
  readonly messages?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * A schema that the AI SDK takes as it is: marked with its own symbol, so that nothing is converted, and with no validator,
 * since the dispatcher validates and its message is made for the model. To anything else it is a Standard Schema.
 */
export interface AiSdkInputSchema extends StandardSchema {
  readonly jsonSchema: JsonObject;
  readonly validate: undefined;
}

/** A tool as `generateText`, `streamText` and agents of the AI SDK take it. */
export interface AiSdkTool {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: AiSdkInputSchema;
  readonly strict?: boolean;
  readonly needsApproval?: (input: unknown, options: AiSdkCallOptions) => Promise<boolean>;
  readonly execute: (input: unknown, options: AiSdkCallOptions) => Promise<AiSdkToolOutput>;
  readonly toModelOutput: (options: { readonly output: AiSdkToolOutput }) => AiSdkModelOutput;
}

const AI_SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * The dispatcher's tools for the AI SDK. The SDK may start all calls of a step at once: the dispatcher still decides what
 * runs beside what, and in which order. Whatever goes wrong is a result that the model reads; `execute` never throws.
 *
 * The set holds what the dispatcher offers now. Make it anew for each request where tools may change.
 */
export function toAiSdkTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { dialect = "vercel-ai-sdk", context, approvals }: ToAiSdkToolsOptions<Context> = {},
): { [name: string]: AiSdkTool } {
  const run = callsOneByOne(dispatcher);
  const set: [string, AiSdkTool][] = dispatcher.definitions(dialect).map((entry) => {
    const { name, description, inputSchema, strict } = readDefinition(entry);
    const { title, inputExamples, providerOptions } = entry;
    return [
      name,
      {
        ...(title !== undefined && { title: String(title) }),
        description,
        inputSchema: aiSdkSchema(inputSchema),
        ...(strict && { strict }),
        ...(inputExamples !== undefined && { inputExamples }),
        ...(providerOptions !== undefined && { providerOptions }),
        ...(approvals !== undefined && {
          needsApproval: (input: unknown, { toolCallId }: AiSdkCallOptions) =>
            approvals.needsApproval(dispatcher, { id: toolCallId, name, input, dialect }, context),
        }),
        execute: async (input, { toolCallId, abortSignal, messages }) =>
          toToolOutput(await run({ id: toolCallId, name, input, dialect }, { signal: abortSignal, context, step: messages })),
        toModelOutput: ({ output }) => toModelOutput(output),
      },
    ];
  });
  return Object.fromEntries(set);
}

function aiSdkSchema(jsonSchema: JsonObject): AiSdkInputSchema {
  const schema = { ...standardOf(jsonSchema), jsonSchema, validate: undefined, [AI_SDK_SCHEMA]: true };
  return Object.freeze(schema);
}
