import type { PermissionRequest, ToolCall } from "../../tool/definition.js";
import type { AskAnswer } from "../../dispatch/permissions/permission-types.js";
import type { Dispatcher } from "../../dispatch/state/dispatcher-types.js";

/** Connects the questions of a dispatcher to the approvals of the AI SDK. Created by {@link aiSdkApprovals}. */
export interface AiSdkApprovals {
  /** For `permissions.ask` of the dispatcher. */
  readonly ask: (request: PermissionRequest) => AskAnswer;
  /** Whether the AI SDK must ask a person before it executes this call. */
  needsApproval<Context>(
    dispatcher: Dispatcher<Context>,
    call: ToolCall,
    context: Context | undefined,
  ): Promise<boolean>;
}

/** The most questions that are remembered; the oldest is forgotten, and its call refused. */
const MOST_QUESTIONS = 10_000;

/**
 * Lets the AI SDK ask the person: the dispatcher decides for which calls, the SDK sends its approval request and
 * executes the call in a later step if the person agrees. An approval is bound to the call id, the tool and the exact
 * input. The SDK reads approvals from the messages that it is given: where a client writes those, set the SDK's secret
 * for approvals, so that none can be forged.
 */
export function aiSdkApprovals(): AiSdkApprovals {
  const asked = new Map<string, string>();
  return Object.freeze({
    ask({ callId, toolName, inputDigest }: PermissionRequest): AskAnswer {
      if (asked.get(callId) === inputDigest) {
        asked.delete(callId);
        return { decision: "allow", reason: "a person approved it through the AI SDK" };
      }
      return { decision: "deny", reason: `Nobody was asked about this call of ${toolName} with this input.` };
    },
    async needsApproval<Context>(
      dispatcher: Dispatcher<Context>,
      call: ToolCall,
      context: Context | undefined,
    ): Promise<boolean> {
      const preview = await dispatcher.preview(call, { context });
      if (preview.decision !== "ask") return false;
      asked.delete(call.id);
      asked.set(call.id, preview.inputDigest);
      const [oldest] = asked.keys();
      if (asked.size > MOST_QUESTIONS && oldest !== undefined) asked.delete(oldest);
      return true;
    },
  });
}
