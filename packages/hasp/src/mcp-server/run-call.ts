import {
  createDispatcher,
  type AnyTool,
  type CallPreview,
  type DispatchEvent,
  type PermissionRequest,
  type ToolCall,
  type ToolResult,
} from "@hasp/runtime";
import type { JsonValue } from "@hasp/schema";

/** One call and on whose word it runs. */
export interface CallToRun {
  readonly tools: readonly AnyTool[];
  readonly call: ToolCall;
  readonly context: unknown;
  /** Feature gates that are open. */
  readonly features: readonly string[];
  /** Whether the operator has allowed the call beforehand. */
  readonly isAllowed: boolean;
  /** Asks the person at the terminal, where one sits there. */
  readonly ask: ((request: PermissionRequest) => Promise<boolean>) | undefined;
  /** Judge the call and run nothing. */
  readonly isDryRun: boolean;
}

/** What became of a call, phase by phase. */
export interface CallRecord {
  /** What was known of it before anything ran. */
  readonly preview: CallPreview;
  /** Why it may run, or may not; absent where it did not come so far. */
  readonly permission?: { readonly isAllowed: boolean; readonly reason: string };
  readonly attempts: number;
  readonly progress: readonly JsonValue[];
  /** Absent after a dry run. */
  readonly result?: ToolResult;
}

/**
 * Takes one call through the whole pipeline of a dispatcher and writes down what each phase did. Never rejects for a
 * call's sake.
 */
export async function runCall({
  tools,
  call,
  context,
  features,
  isAllowed,
  ask,
  isDryRun,
}: CallToRun): Promise<CallRecord> {
  const events: DispatchEvent[] = [];
  const tool = tools.find(({ name, aliases }) => name === call.name || aliases.includes(call.name));
  const dispatcher = createDispatcher({
    // One tool alone: what the others need from the environment is not asked for.
    tools: tool === undefined ? [] : [tool],
    interactive: ask !== undefined,
    features: (name) => features.includes(name),
    permissions: {
      ...(isAllowed &&
        tool !== undefined && {
          rules: [{ tool: tool.name, decision: "allow" as const, reason: "hasp call --allow" }],
        }),
      ...(ask !== undefined && {
        ask: async (request: PermissionRequest) => ((await ask(request)) ? ("allow" as const) : ("deny" as const)),
      }),
    },
    onEvent: (event) => events.push(event),
  });
  // The handlers' own module made the context; no type of ours can say that they fit.
  const turn = { context: context as never };
  const preview = await dispatcher.preview(call, turn);
  if (isDryRun) return { preview, attempts: 0, progress: [] };
  const [result] = await dispatcher.dispatch([call], turn);
  return {
    preview,
    ...permissionIn(events),
    attempts: events.filter(({ type }) => type === "started").length,
    progress: events.flatMap((event) => (event.type === "progress" ? [event.update] : [])),
    ...(result !== undefined && { result }),
  };
}

function permissionIn(events: readonly DispatchEvent[]): Pick<CallRecord, "permission"> {
  const last = events.findLast(({ type }) => type === "permitted" || type === "denied");
  if (last?.type !== "permitted" && last?.type !== "denied") return {};
  return { permission: { isAllowed: last.type === "permitted", reason: last.reason } };
}
