import { dropUndefined } from "@hasp/base/json";
import {
  createDispatcher,
  type AnyTool,
  type AskAnswer,
  type CallPreview,
  type DispatchEvent,
  type DispatcherExtension,
  type DispatcherOptions,
  type FlowSetting,
  type PermissionPolicy,
  type PermissionRequest,
  type ToolCall,
  type ToolResult,
} from "@hasp/runtime";
import { removeSecrets } from "@hasp/runtime/internal";
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";
import { toolSearch } from "@hasp/runtime/search";
import type { JsonValue } from "@hasp/schema";

interface CallToRun {
  readonly tools: readonly AnyTool[];
  readonly call: ToolCall;
  readonly context: unknown;
  readonly features: readonly string[];
  /** The policy of the toolset by which the call is judged. */
  readonly policy?: PermissionPolicy | undefined;
  /** The setting of information flow: the calls of a program may carry something from one to another. */
  readonly flow?: FlowSetting | undefined;
  /** Executes a call that somebody else executes. */
  readonly external?: DispatcherOptions["external"];
  /** True if the operator allowed the call in advance. */
  readonly isAllowed: boolean;
  readonly ask: ((request: PermissionRequest) => Promise<AskAnswer>) | undefined;
  /** True to classify the call without running it. */
  readonly isDryRun: boolean;
  readonly tape?: DispatcherExtension | undefined;
  /** Set for a program, which may call any of the tools. */
  readonly programs?: DispatcherExtension | undefined;
}

export interface CallReport {
  /** Made before anything ran. Its input is without secrets. */
  readonly preview: CallPreview;
  /** Absent if the call did not reach this phase. */
  readonly permission?: { readonly isAllowed: boolean; readonly reason: string };
  readonly attempts: number;
  readonly progress: readonly JsonValue[];
  /** Absent after a dry run. */
  readonly result?: ToolResult;
  /** The reason why the tape lacks the call. */
  readonly tapeProblem?: string;
}

/** Runs one call through the whole dispatcher and records each phase. Never rejects because of the call. */
export async function runCall({
  tools,
  call,
  context,
  features,
  policy,
  flow,
  isAllowed,
  external,
  ask,
  isDryRun,
  tape,
  programs,
}: CallToRun): Promise<CallReport> {
  const events: DispatchEvent[] = [];
  const tool = tools.find(({ name, aliases }) => name === call.name || aliases.includes(call.name));
  // Only this tool: the environment of the others is not needed.
  const bound = programs === undefined ? tools.filter((each) => each === tool) : tools;
  const dispatcher = createDispatcher({
    // A dry run runs nothing that needs a variable.
    ...(isDryRun && {
      env: Object.fromEntries(bound.flatMap(({ needs }) => needs.env.map((name) => [name, "unset"]))),
    }),
    tools: {
      tools: bound,
      extensions: [informationFlow, toolSearch, storedResults()],
      // A policy may name the others.
      leftOut: tools.filter((each) => !bound.includes(each)).flatMap(({ name, aliases }) => [name, ...aliases]),
    },
    flow,
    external,
    features: (name) => features.includes(name),
    permissions: {
      ...policy,
      rules: [
        ...(policy?.rules ?? []),
        ...(isAllowed
          ? bound.map(({ name }) => ({ tool: name, decision: "allow" as const, reason: "hasp call --allow" }))
          : []),
      ],
      ...dropUndefined({ ask }),
    },
    onEvent: (event) => {
      // A program's calls have events, too; keep only their problems with the tape.
      if (event.callId === call.id || event.type === "problem") events.push(event);
    },
    extensions: [programs, tape].filter((each) => each !== undefined),
  });
  // The handlers' own module created the context; no type here can express that they match.
  const turn = { context: context as never };
  const evaluated = await dispatcher.preview(call, turn);
  const preview =
    "input" in evaluated && tool !== undefined
      ? { ...evaluated, input: removeSecrets(evaluated.input as JsonValue, tool.input, tool).value as never }
      : evaluated;
  if (isDryRun) return { preview, attempts: 0, progress: [] };
  const [result] = await dispatcher.dispatch([call], turn);
  const problem = events.find((event) => event.type === "problem" && event.code === "tape-incomplete");
  return {
    preview,
    ...permissionIn(events),
    ...(problem?.type === "problem" && { tapeProblem: problem.message }),
    attempts: events.filter(({ type }) => type === "started").length,
    progress: events.flatMap((event) => (event.type === "progress" ? [event.update] : [])),
    ...dropUndefined({ result }),
  };
}

function permissionIn(events: readonly DispatchEvent[]): Pick<CallReport, "permission"> {
  const last = events.findLast(({ type }) => type === "permitted" || type === "denied");
  if (last?.type !== "permitted" && last?.type !== "denied") return {};
  return { permission: { isAllowed: last.type === "permitted", reason: last.reason } };
}
