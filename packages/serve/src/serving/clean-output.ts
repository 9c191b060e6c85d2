import { createWriteStream } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { runAgain } from "@hasp/project/modules";

const STOP_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A signal may arrive twice: from the terminal, and from the process that forwards it. */
const ECHO_MS = 1000;

/** Calls `stop` on the first termination signal, so that calls can finish. A second signal ends the process at once. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      stop();
    } else if (performance.now() - first > ECHO_MS) {
      process.off(signal, hear);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, hear);
}

/** File descriptor of the protocol in the process that runs handlers. */
const PROTOCOL = 3;
/** Set only for that process. */
const MARK = "HASP_SERVE_PROTOCOL_FD";

/**
 * Keeps handler output off the protocol stream, which one stray line would break. Runs the server in a child process
 * whose standard output is our standard error, and whose file descriptor 3 is our standard output. Returns that
 * descriptor in the child; in the parent, starts the child and returns its exit code.
 */
export async function withCleanOutput(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Writable | { readonly exitCode: number }> {
  if (environment[MARK] === String(PROTOCOL)) {
    delete process.env[MARK];
    return protocolStream();
  }
  const exitCode = await runAgain(["inherit", 2, 2, 1], { [MARK]: String(PROTOCOL) }, STOP_SIGNALS);
  return { exitCode };
}

function protocolStream(): Writable {
  try {
    return new Socket({ fd: PROTOCOL, readable: false, writable: true });
  } catch {
    return createWriteStream("", { fd: PROTOCOL });
  }
}
