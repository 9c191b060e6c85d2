import { createDispatcher, type AnyTool } from "@hasp/runtime";
import { askThroughElicitation, registerMcpTools, type ElicitingServer } from "@hasp/runtime/mcp";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Readable, Writable } from "node:stream";
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
 * Serves tools over the Model Context Protocol until the client goes away, or a signal ends the server. Permission is the person's at the client, asked
 * through elicitation; where the client cannot ask, a call that needs permission is refused.
 */
export async function serveTools({ tools, permitted, features, context, version, input, output, report }: Serving): Promise<void> {
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
  await server.connect(withReadyText(new StdioServerTransport(input, output), output));
  await over;
  dispatcher.interrupt("The client has gone away.");
  // What still changes something may end what it does, each call within its own time. Only then is the connection closed:
  // that aborts every call of it, whether it may be stopped or not.
  const release = await dispatcher.gate.enter("exclusive").granted;
  release();
  await server.close();
}
