import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { STOP_SIGNALS } from "./stop-signals.js";

/** The number of the file that the protocol goes to, in the process that runs handlers. */
const PROTOCOL = 3;
/** Set for that process only. */
const MARK = "HASP_SERVE_PROTOCOL_FD";

/**
 * Handlers print, and so do the programs that they start; one stray line on standard output ends the conversation. So
 * the server runs in a process whose standard output is our standard error, and which has our standard output as file
 * 3. Answers with that file in the process that runs handlers, or starts that process and answers with its exit code.
 */
export async function withCleanOutput(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Writable | { readonly exitCode: number }> {
  if (environment[MARK] === String(PROTOCOL)) {
    delete process.env[MARK];
    return protocolStream();
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["inherit", 2, 2, 1],
    env: { ...process.env, [MARK]: String(PROTOCOL) },
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of STOP_SIGNALS) process.on(signal, pass);
  return new Promise((resolve) => {
    child.once("error", () => resolve({ exitCode: 2 }));
    child.once("exit", (code) => resolve({ exitCode: code ?? 2 }));
  });
}

/** A pipe or a socket as it comes from a client; a plain file where somebody looks what would be said. */
function protocolStream(): Writable {
  try {
    return new Socket({ fd: PROTOCOL, readable: false, writable: true });
  } catch {
    return createWriteStream("", { fd: PROTOCOL });
  }
}

/**
 * Lets user's code print beside a report: while `body` runs, what is written to standard output goes to standard error.
 * Unlike {@link withCleanOutput} it does not reach programs that a handler starts with our own output.
 */
export async function withOutputAside<Value>(body: () => Promise<Value>): Promise<Value> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  try {
    return await body();
  } finally {
    stdout.write = write;
  }
}
