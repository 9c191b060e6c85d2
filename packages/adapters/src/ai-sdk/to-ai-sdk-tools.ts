import { isObject, type JsonObject, dropUndefined } from "@hasp/base/json";
import { type CallPreview, type Dispatcher, standardOf, type StandardSchema } from "@hasp/runtime";
import { readDefinition } from "@hasp/runtime/internal";
import {
  type PlainResult,
  type StoredQuestions,
  createFrameworkCalls,
  listTools,
  toPlainResult,
} from "../framework/framework-calls.js";
import {
  createFilePart,
  createImageDataPart,
  createModelOutput,
  type AiSdkModelOutput,
  type FilePart,
  type ImageDataPart,
  type ToImagePart,
} from "./tool-output.js";
import { type AnsweredApprovals, createApprovals } from "../framework/approvals.js";

export interface ToAiSdkToolsOptions<Context> extends StoredQuestions<Context> {
  /**
   * Default `vercel-ai-sdk`: the SDK's provider package adapts its schema. Schemas of other dialects are sent
   * unchanged.
   */
  readonly dialect?: string | undefined;
  readonly context?: Context | undefined;
  /** Lets the SDK ask the person, within this process. Without it and `durable`, the dispatcher's permissions decide. */
  readonly approvals?: AiSdkApprovals | undefined;
  /** The major version of the package `ai`. Version 7 accepts tools for 6, with a warning about images in results. */
  readonly sdk?: 6 | undefined;
}

/** Settings for version 7 of the package `ai`, which has another format for images. */
export interface ToAiSdk7ToolsOptions<Context> extends Omit<ToAiSdkToolsOptions<Context>, "sdk"> {
  readonly sdk: 7;
}

interface AiSdkCallOptions {
  readonly toolCallId: string;
  /** The same list for all calls of one step. */
  readonly messages?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A Standard Schema with the SDK's own symbol, so that it converts nothing. The dispatcher validates. */
interface AiSdkInputSchema extends StandardSchema {
  readonly jsonSchema: JsonObject;
  /** For calls that the client executes: judges a call before the client sees it. */
  readonly validate: ((input: unknown) => Promise<AiSdkValidation>) | undefined;
}

type AiSdkValidation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

export interface AiSdkTool<Image = ImageDataPart> {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: AiSdkInputSchema;
  readonly strict?: boolean;
  readonly needsApproval?: (input: unknown, options: AiSdkCallOptions) => Promise<boolean>;
  /** Absent if the SDK's client executes the calls. */
  readonly execute?: (input: unknown, options: AiSdkCallOptions) => Promise<PlainResult>;
  /** Stores a call that the SDK's client executes. */
  readonly onInputAvailable?: (call: AiSdkCallOptions & { readonly input: unknown }) => Promise<void>;
  readonly toModelOutput?: (options: { readonly output: PlainResult }) => AiSdkModelOutput<Image>;
}

const AI_SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * Creates tools for the AI SDK from those that the dispatcher offers now. The SDK may start all calls of a step at
 * once; the dispatcher still schedules them. Every failure is a result that the model reads; `execute` never throws.
 *
 * With `durable`, a tool that is `external` has no `execute`, unless the dispatcher has `external`: the SDK's client
 * executes its permitted calls, and {@link completeAiSdkCalls} takes its answers.
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
  return options.sdk === 7
    ? toolsWith(createFilePart, dispatcher, options)
    : toolsWith(createImageDataPart, dispatcher, options);
}

function toolsWith<Image, Context>(
  toImagePart: ToImagePart<Image>,
  dispatcher: Dispatcher<Context>,
  { dialect = "vercel-ai-sdk", context, ...questions }: Omit<ToAiSdkToolsOptions<Context>, "sdk">,
): { [name: string]: AiSdkTool<Image> } {
  const calls = createFrameworkCalls(dispatcher, questions);
  /** By the input that the SDK passes on: the preview of a call whose id the SDK has not said yet. */
  const previews = new WeakMap<object, CallPreview>();
  const { conversation } = questions;
  const set: [string, AiSdkTool<Image>][] = listTools(dispatcher, dialect, questions).map((entry) => {
    const { name, description, inputSchema, strict } = readDefinition(entry);
    const { title, inputExamples, providerOptions } = entry;
    const shown = {
      ...(title !== undefined && { title: String(title) }),
      description,
      inputSchema: aiSdkSchema(inputSchema),
      ...(strict && { strict }),
      ...dropUndefined({ inputExamples, providerOptions }),
    };
    const { external } = calls;
    if (external !== undefined && dispatcher.isAwaited(entry)) {
      return [
        name,
        {
          ...shown,
          inputSchema: aiSdkSchema(inputSchema, async (input) => {
            const call = { id: "preview", name, input, dialect };
            const preview = await dispatcher.preview(call, { context, conversation, runsHooks: true });
            if (preview.decision === "allow") previews.set(preview.input as object, preview);
            return judge(preview);
          }),
          async onInputAvailable({ input, toolCallId, abortSignal, messages }) {
            const session = { signal: abortSignal, context, conversation, step: messages };
            await external.handOut({ id: toolCallId, name, input, dialect }, session, {
              input,
              preview: previews.get(input as object),
            });
          },
        },
      ];
    }
    return [
      name,
      {
        ...shown,
        ...(calls.asksPeople && {
          needsApproval: async (input: unknown, { toolCallId, messages }: AiSdkCallOptions) => {
            const call = { id: toolCallId, name, input, dialect };
            // The SDK asks again before it executes an approved call; the person has seen the first question.
            if (approvalIn(messages, toolCallId) !== "none") return true;
            const question = await calls.question(call, { context, conversation });
            if (question !== undefined) calls.show(question);
            return question !== undefined;
          },
        }),
        execute: async (input, { toolCallId, abortSignal, messages }) => {
          const call = { id: toolCallId, name, input, dialect };
          const session = { signal: abortSignal, context, conversation, step: messages };
          const isApproved = approvalIn(messages, toolCallId) === "approved";
          return toPlainResult(await calls.run(call, session, isApproved ? { decision: "allow" } : undefined));
        },
        toModelOutput: ({ output }) => createModelOutput(toImagePart, output),
      },
    ];
  });
  return Object.fromEntries(set);
}

function aiSdkSchema(jsonSchema: JsonObject, validate?: AiSdkInputSchema["validate"]): AiSdkInputSchema {
  const schema = { ...standardOf(jsonSchema), jsonSchema, validate, [AI_SDK_SCHEMA]: true };
  return Object.freeze(schema);
}

/** Shows the client a call only if it is permitted, with the input that the tool takes. */
function judge(preview: CallPreview): AiSdkValidation {
  if (preview.decision === "allow") return { success: true, value: preview.input };
  const { decision, reason } = preview;
  const why = "a person would have to allow it, and nobody can be asked about a call that the client executes";
  return { success: false, error: new Error(decision === "ask" ? `Not run: ${why} (${reason}).` : reason) };
}

export type AiSdkApprovals = AnsweredApprovals;

/**
 * Lets the AI SDK ask the person about the calls that the dispatcher names. An approval is bound to the call id, the
 * tool and the exact input. If a client writes the messages, set the SDK's secret for approvals, so that none can be
 * forged.
 */
export function aiSdkApprovals(): AiSdkApprovals {
  return createApprovals();
}

/** Reads the approval state of a call from messages. `approved`: every response to a request for it approves. */
function approvalIn(messages: unknown, toolCallId: string): "none" | "requested" | "approved" {
  const parts = listOf(messages).flatMap((message) => listOf(message["content"]));
  const requests = parts
    .filter((part) => part["type"] === "tool-approval-request" && part["toolCallId"] === toolCallId)
    .map((part) => part["approvalId"]);
  const responses = parts.filter(
    (part) => part["type"] === "tool-approval-response" && requests.includes(part["approvalId"]),
  );
  if (requests.length === 0) return "none";
  return responses.length > 0 && responses.every((part) => part["approved"] === true) ? "approved" : "requested";
}

function listOf(value: unknown): readonly { readonly [key: string]: unknown }[] {
  return Array.isArray(value) ? value.filter((each: unknown) => isObject(each)) : [];
}
