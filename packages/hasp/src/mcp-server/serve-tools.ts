import { createDispatcher, FAIL_CLOSED_DEFAULTS, type AnyTool, type Gate } from "@hasp/runtime";
import { askThroughElicitation, registerMcpTools, type ElicitingServer } from "@hasp/runtime/mcp";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Readable, Writable } from "node:stream";
import { limitMessages } from "./message-limit.js";
import { withReadyText } from "./ready-text.js";
import { onStopSignal } from "./stop-signals.js";

/** What is served, to whom, and on whose word. */
export interface Serving {
  readonly tools: readonly AnyTool[];
  /** Tools whose calls run without a question. */
  readonly permitted: readonly string[];
  /** Feature gates that are open. */
  readonly features: readonly string[];
  readonly context: unknown;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Hears of what a client sent that is no message, and of faults of the connection. */
  readonly report: (message: string) => void;
}

/**
 * Serves tools over the Model Context Protocol until the client goes away, or a signal ends the server. Permission is
 * the person's at the client, asked through elicitation; where the client cannot ask, a call that needs permission is
 * refused. Resolves when the calls that were running have ended, or have been told to stop and did not.
 */
export async function serveTools({
  tools,
  permitted,
  features,
  context,
  version,
  input,
  output,
  report,
}: Serving): Promise<void> {
  const server = new Server({ name: "hasp", version }, { capabilities: {} });
  const dispatcher = createDispatcher({
    tools,
    interactive: true,
    features: (name) => features.includes(name),
    permissions: {
      rules: permitted.map((tool) => ({ tool, decision: "allow" as const, reason: "hasp serve --permit" })),
      ask: askThroughElicitation(server as ElicitingServer),
    },
    onEvent: (event) => {
      if (event.type === "problem") report(`${event.toolName}: ${event.message}`);
    },
  });
  registerMcpTools(server, dispatcher, { context });
  const over = new Promise<void>((resolve) => {
    Object.assign(server, { onclose: resolve, onerror: (error: Error) => report(error.message) });
    // The package's transport does not hear that its client has hung up.
    for (const event of ["end", "close"]) input.once(event, resolve);
    output.on("error", () => resolve());
    onStopSignal(resolve);
  });
  const limited = limitMessages(input, output, report);
  await server.connect(withReadyText(new StdioServerTransport(limited, output), output));
  await over;
  dispatcher.interrupt("The client has gone away.");
  // What still changes something may end what it does, each call within its own time. Only then is the connection
  // closed: that aborts every call of it, whether it may be stopped or not.
  if (!(await haveEnded(dispatcher.gate, longestTimeMs(tools)))) {
    report("A call still runs although the client has gone away; it is told to stop.");
  }
  await server.close();
  input.unpipe();
  input.pause();
  await haveEnded(dispatcher.gate, LAST_GRACE_MS);
}

/** More than the dispatcher gives a call that was told to stop. */
const LAST_GRACE_MS = 2000;

/** The longest that one of the tools may take; one without a limit has the time of a tool that says nothing of it. */
function longestTimeMs(tools: readonly AnyTool[]): number {
  const seconds = tools.map(({ metadata: { limits } }) =>
    limits.timeoutSeconds === "unlimited" ? FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds : limits.timeoutSeconds,
  );
  return Math.min(Math.max(...seconds.map(Number)) * 1000, 2 ** 31 - 1);
}

/** Waits for the calls that hold a gate, and not longer than this. Answers whether they have ended. */
async function haveEnded(gate: Gate, milliseconds: number): Promise<boolean> {
  const ticket = gate.enter("exclusive");
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<false>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  const ended = await Promise.race([ticket.granted.then(() => true), isLate]);
  clearTimeout(timer);
  ticket.withdraw();
  return ended;
}
