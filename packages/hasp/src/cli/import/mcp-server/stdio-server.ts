import { setTimeout as wait } from "node:timers/promises";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The time that a server gets to end by itself, and the interval of checks. */
const GRACE = { milliseconds: 2000, step: 25 };

/** The SDK's stdio transport, with a guaranteed end of the program. */
export class StdioServer extends StdioClientTransport {
  #processId: number | undefined;

  override async start(): Promise<void> {
    await super.start();
    this.#processId = this.pid ?? undefined;
  }

  /** Waits until the program has ended after its input was closed; kills it if it does not. */
  async end(): Promise<void> {
    const closing = this.close();
    for (let waited = 0; waited < GRACE.milliseconds && this.#isRunning(); waited += GRACE.step) await wait(GRACE.step);
    if (this.#isRunning()) this.#signal("SIGKILL");
    await Promise.race([closing, wait(GRACE.milliseconds, undefined, { ref: false })]);
  }

  #isRunning(): boolean {
    return this.#signal(0);
  }

  #signal(signal: "SIGKILL" | 0): boolean {
    try {
      return this.#processId !== undefined && process.kill(this.#processId, signal);
    } catch {
      // The process is gone.
      return false;
    }
  }
}
