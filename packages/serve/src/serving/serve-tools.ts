import { dropUndefined } from "@hasp/base/json";
import { randomUUID } from "node:crypto";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { mcpQuestions, mcpTasks, registerMcpTools } from "@hasp/mcp";
import {
  type AnyTool,
  createDispatcher,
  type DispatchEvent,
  type FlowSetting,
  type PermissionPolicy,
  type PermissionRule,
  type DispatcherExtension,
} from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";
import { toolSearch } from "@hasp/runtime/search";
import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime/contract";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { awaitCallsEnd } from "@hasp/runtime/internal";
import { onStopSignal } from "./clean-output.js";
import { limitMessages, withReadyText } from "./stdio-messages.js";
import type { Observed, Telemetry } from "./telemetry.js";

export function findLongestTimeMs(tools: readonly AnyTool[]): number {
  const seconds = tools.map(({ metadata: { limits } }) =>
    limits.timeoutSeconds === "unlimited" ? FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds : limits.timeoutSeconds,
  );
  return Math.min(Math.max(...seconds.map(Number)) * 1000, 2 ** 31 - 1);
}

export function createListeners({ log, report, telemetry }: Pick<Serving, "log" | "report" | "telemetry">): Observed {
  const options = { onEvent: callLog({ log, report }) };
  return telemetry?.observe(options) ?? options;
}

/**
 * Reports problems, and once for each tool how its operator can allow what was refused. With `log`, writes one line of
 * JSON for each settled call. Inputs and results stay out.
 */
function callLog({ log, report }: Pick<Serving, "log" | "report">): (event: DispatchEvent) => void {
  const advised = new Set<string>();
  return (event) => {
    if (event.type === "problem") report(`${event.toolName}: ${event.message}`);
    if (event.type === "denied" && event.remedy !== undefined && !advised.has(event.toolName)) {
      advised.add(event.toolName);
      report(`${event.toolName} was refused: ${event.remedy}`);
    }
    if (event.type !== "settled" || log === undefined) return;
    const { callId, toolName, result, attempts, trace } = event;
    const { error, durationMs, isError } = result;
    log(
      JSON.stringify({
        at: new Date().toISOString(),
        tool: toolName,
        call: callId,
        class: event.class,
        outcome: isError ? "error" : "ok",
        ...(error && { phase: error.phase, code: error.code, effect: error.effect }),
        attempts,
        ms: Math.round(durationMs),
        ...dropUndefined({ traceparent: trace?.traceparent }),
      }),
    );
  };
}

export interface Serving {
  readonly tools: readonly AnyTool[];
  /** Names of withheld tools, which policies may still mention. */
  readonly withheld: readonly string[];
  /** Its rules come before `permitted`. */
  readonly policy: PermissionPolicy | undefined;
  readonly flow: FlowSetting;
  readonly permitted: readonly string[];
  readonly features: readonly string[];
  readonly context: unknown;
  /** Creates the context of one caller, in place of `context`. */
  readonly contextFor?: ((caller: unknown) => Promise<unknown>) | undefined;
  /** Keeps calls, questions and tasks beyond the life of the server. */
  readonly durable: DispatcherExtension<StoredTurns> | undefined;
  readonly extensions?: readonly DispatcherExtension[];
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions?: string | undefined;
  readonly input: Readable;
  readonly output: Writable;
  /** Receives invalid client messages and connection errors. */
  readonly report: (message: string) => void;
  /** Receives a line of JSON about each call. */
  readonly log: ((line: string) => void) | undefined;
  readonly telemetry: Telemetry | undefined;
  /** The time that running calls have to end after a signal. Default: as long as the slowest tool may take. */
  readonly drainMs: number | undefined;
}

/**
 * Serves tools over MCP, in the client's revision, until the client disconnects or a signal stops the server. Asks the
 * client's user for permission, and refuses calls that need it if the client cannot ask. Resolves when running calls
 * have ended or have ignored their stop signal.
 */
export async function serveTools({
  tools,
  withheld,
  policy,
  flow,
  permitted,
  features,
  context,
  durable,
  extensions = [],
  info,
  instructions,
  input,
  output,
  report,
  log,
  telemetry,
  drainMs = findLongestTimeMs(tools),
}: Serving): Promise<void> {
  const questions = mcpQuestions();
  const tasks = mcpTasks();
  // A call store outlives the connection, and what one client has read concerns no other.
  const conversation = `stdio ${randomUUID()}`;
  const dispatcher = createDispatcher({
    tools: { tools, leftOut: withheld, extensions: [informationFlow, toolSearch, storedResults()] },
    flow,
    features: (name) => features.includes(name),
    permissions: { ...policy, rules: [...(policy?.rules ?? []), ...permitRules(permitted)], ask: questions.ask },
    extensions: durable === undefined ? extensions : [durable, ...extensions],
    ...createListeners({ log, report, telemetry }),
  });
  const over = new Promise<void>((resolve) => {
    // The SDK's transport does not detect that its client has disconnected.
    for (const event of ["end", "close"]) input.once(event, resolve);
    output.on("error", () => resolve());
    onStopSignal(resolve);
  });
  // The SDK's transport stops all running calls when its input ends. Hide the end, so that they may finish.
  const requests = limitMessages(input, output, report).pipe(new PassThrough(), { end: false });
  const connection = serveStdio(
    () => {
      const server = new Server(info, { capabilities: {}, ...dropUndefined({ instructions }) });
      registerMcpTools(server, dispatcher, {
        context,
        questions,
        tasks,
        durable,
        conversation,
        onProblem: ({ message }) => report(`The call store fails: ${message}`),
      });
      return server;
    },
    {
      transport: withReadyText(new StdioServerTransport(requests, output), output),
      onerror: ({ message }) => report(message),
    },
  );
  await over;
  dispatcher.interrupt("The client has disconnected.");
  // Let calls that change something finish within their own time limits. Closing the connection aborts all of its
  // calls, even those that must not be stopped.
  if (!(await awaitCallsEnd(dispatcher.gate, drainMs))) {
    report("A call is still running although the client has disconnected; stopping it.");
  }
  await connection.close();
  input.unpipe();
  input.pause();
  await awaitCallsEnd(dispatcher.gate, LAST_GRACE_MS);
}

export function permitRules(permitted: readonly string[]): readonly PermissionRule[] {
  return permitted.map((tool) => ({ tool, decision: "allow", reason: "hasp serve --permit" }));
}

/** Longer than the dispatcher gives a call that was told to stop. */
const LAST_GRACE_MS = 2000;
