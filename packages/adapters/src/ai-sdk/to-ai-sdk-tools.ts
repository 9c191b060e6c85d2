import type { JsonObject } from "@hasp/schema";
import { type Dispatcher, standardOf, type StandardSchema } from "@hasp/runtime";
import { callsOneByOne } from "../../../runtime/src/providers/calls-one-by-one.js";
import { readDefinition } from "../../../runtime/src/providers/read-wire.js";
import type { StoredQuestions } from "../framework/framework-calls.js";
import { storedCalls } from "../framework/stored-calls.js";
import { type AiSdkApprovals, approvalIn } from "./approvals.js";
import {
  filePart,
  imageDataPart,
  modelOutputWith,
  toToolOutput,
  type AiSdkModelOutput,
  type AiSdkToolOutput,
  type FilePart,
  type ImageDataPart,
  type ToImagePart,
} from "./tool-output.js";

export interface ToAiSdkToolsOptions<Context> extends StoredQuestions {
  /**
   * The dialect of the list. Default `vercel-ai-sdk`, which leaves the schema to the SDK's provider package. Name the
   * provider's own dialect (`openai-responses`, `anthropic`, …) to send the schema that hasp lowered for it.
   */
  readonly dialect?: string | undefined;
  /** Passed to handlers, checks and hooks. */
  readonly context?: Context | undefined;
  /** Lets the SDK ask the person, within this process. Without it and `turnId`, the dispatcher's permissions decide. */
  readonly approvals?: AiSdkApprovals | undefined;
  /** The major version of the package `ai`. Version 7 accepts the tools for 6, but warns about images in results. */
  readonly sdk?: 6 | undefined;
}

/** Settings for version 7 of the package `ai`, which has another format for images. */
export interface ToAiSdk7ToolsOptions<Context> extends Omit<ToAiSdkToolsOptions<Context>, "sdk"> {
  readonly sdk: 7;
}

/** The call options of the AI SDK that are used. */
export interface AiSdkCallOptions {
  readonly toolCallId: string;
  /** The same list for all calls of one step. */
  readonly messages?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * A schema that the AI SDK accepts unchanged: it has the SDK's own symbol, so that nothing is converted, and no
 * validator, since the dispatcher validates. Elsewhere, it is a Standard Schema.
 */
export interface AiSdkInputSchema extends StandardSchema {
  readonly jsonSchema: JsonObject;
  readonly validate: undefined;
}

/** A tool for `generateText`, `streamText` and agents of the AI SDK. */
export interface AiSdkTool<Image = ImageDataPart> {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: AiSdkInputSchema;
  readonly strict?: boolean;
  readonly needsApproval?: (input: unknown, options: AiSdkCallOptions) => Promise<boolean>;
  readonly execute: (input: unknown, options: AiSdkCallOptions) => Promise<AiSdkToolOutput>;
  readonly toModelOutput: (options: { readonly output: AiSdkToolOutput }) => AiSdkModelOutput<Image>;
}

const AI_SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * Creates the dispatcher's tools for the AI SDK. The SDK may start all calls of a step at once; the dispatcher still
 * schedules them. Every failure is a result that the model reads; `execute` never throws.
 *
 * The set holds what the dispatcher offers now. Create it for each request if tools may change.
 */
export function toAiSdkTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  options: ToAiSdk7ToolsOptions<Context>,
): { [name: string]: AiSdkTool<FilePart> };
export function toAiSdkTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  options?: ToAiSdkToolsOptions<Context>,
): { [name: string]: AiSdkTool };
export function toAiSdkTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  options: ToAiSdkToolsOptions<Context> | ToAiSdk7ToolsOptions<Context> = {},
): { [name: string]: AiSdkTool<ImageDataPart | FilePart> } {
  return options.sdk === 7 ? toolsWith(filePart, dispatcher, options) : toolsWith(imageDataPart, dispatcher, options);
}

function toolsWith<Image, Context>(
  toImagePart: ToImagePart<Image>,
  dispatcher: Dispatcher<Context>,
  { dialect = "vercel-ai-sdk", context, approvals, turnId, answeredBy }: Omit<ToAiSdkToolsOptions<Context>, "sdk">,
): { [name: string]: AiSdkTool<Image> } {
  const run = callsOneByOne(dispatcher);
  const stored = turnId === undefined ? undefined : storedCalls(dispatcher, turnId, answeredBy);
  const set: [string, AiSdkTool<Image>][] = dispatcher.definitions(dialect).map((entry) => {
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
        ...((approvals ?? stored) !== undefined && {
          needsApproval: async (input: unknown, { toolCallId, messages }: AiSdkCallOptions) => {
            const call = { id: toolCallId, name, input, dialect };
            // The SDK asks again before it executes an approved call; by then the question may be answered.
            if (stored !== undefined && approvalIn(messages, toolCallId) !== "none") return true;
            if (stored !== undefined) return (await stored.question(call, { context })) !== undefined;
            return approvals !== undefined && (await approvals.needsApproval(dispatcher, call, context));
          },
        }),
        execute: async (input, { toolCallId, abortSignal, messages }) => {
          const call = { id: toolCallId, name, input, dialect };
          const session = { signal: abortSignal, context, step: messages };
          if (stored === undefined) return toToolOutput(await run(call, session));
          const isApproved = approvalIn(messages, toolCallId) === "approved";
          return toToolOutput(await stored.run(call, session, isApproved ? { decision: "allow" } : undefined));
        },
        toModelOutput: ({ output }) => modelOutputWith(toImagePart, output),
      },
    ];
  });
  return Object.fromEntries(set);
}

function aiSdkSchema(jsonSchema: JsonObject): AiSdkInputSchema {
  const schema = { ...standardOf(jsonSchema), jsonSchema, validate: undefined, [AI_SDK_SCHEMA]: true };
  return Object.freeze(schema);
}
