import { printThrown } from "@hasp/base/diagnostics";
import { isStructured, dropUndefined } from "@hasp/base/json";
import { fork, spawn } from "node:child_process";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** The reason for no answer. */
export type Lapse =
  | { readonly kind: "late"; readonly seconds: number }
  /** `how` is an exit code or a signal; `said` is the end of its output, if that is kept. */
  | { readonly kind: "ended"; readonly how: string; readonly said: string }
  | { readonly kind: "failed"; readonly reason: string };

export type Reply<Answer> = { readonly answer: Answer } | { readonly lapse: Lapse };

/** A process or thread that answers questions, at any time. After a lapse it answers nothing more. */
export interface ChildProgram<Question, Answer> {
  isRunning(): boolean;
  /** Asks, and ends the child if it does not answer within some seconds. */
  ask(question: Question, seconds: number): Promise<Reply<Answer>>;
  /** Ends the child at once. Questions without an answer lapse for this reason. */
  end(reason: string): void;
}

interface ProcessOptions {
  readonly cwd?: string;
  /** By default, all variables of this process but {@link OWN_TOKEN}. */
  readonly environment?: { readonly [name: string]: string };
  /** Options of Node beside those of this process; without `environment`, which limits what the child knows. */
  readonly nodeOptions?: readonly string[];
  /** True to keep the end of its output for {@link Lapse}, instead of passing it on to standard error. */
  readonly keepsOutput?: boolean;
}

export interface ChildQuestion {
  readonly id: number;
  readonly question: unknown;
}

export interface ChildAnswer {
  readonly id: number;
  readonly answer?: unknown;
  /** Set if there is no answer. */
  readonly reason?: string;
}

/** The way to a child. */
interface ChildLine {
  send(message: ChildQuestion, onFailure: (error: Error) => void): void;
  end(): void;
  /** Keeps this process alive only while something is awaited, if the child itself does not. */
  wait(isWaiting: boolean): void;
}

const LONGEST_OUTPUT = 2000;

/** The variable with hasp's own token for GitHub, which a project's code must not read. */
export const OWN_TOKEN = "HASP_GITHUB_TOKEN";

/** Starts a process that runs a module of hasp. It ends with this process, and its output is no output of hasp. */
export function startProcess<Question, Answer>(
  module: string,
  { cwd, environment, nodeOptions = [], keepsOutput = false }: ProcessOptions = {},
): ChildProgram<Question, Answer> {
  return openChild((hear, lapse) => {
    const own = environment === undefined ? process.execArgv.filter((option) => !option.startsWith("--inspect")) : [];
    const { [OWN_TOKEN]: _token, ...variables } = process.env;
    const child = fork(module, [], {
      ...dropUndefined({ cwd }),
      env: environment ?? variables,
      execArgv: [...own, ...nodeOptions],
      serialization: "advanced",
      // Standard output is for findings.
      stdio: keepsOutput ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", 2, 2, "ipc"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: unknown) => (said = (said + String(chunk)).slice(-LONGEST_OUTPUT)));
    }
    child.on("message", hear);
    child.once("error", ({ message }) => lapse({ kind: "failed", reason: message }));
    child.once("exit", (code, signal) => lapse({ kind: "ended", how: String(signal ?? code), said }));
    return {
      send: (message, onFailure) => child.send(message, (error) => error !== null && onFailure(error)),
      end: () => void child.kill("SIGKILL"),
      wait: () => undefined,
    };
  });
}

/** The environment variables that any program may see. */
const PLAIN_VARIABLES = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot"];

/** Returns the part of the environment that holds no secret. */
export function plainEnvironment(): Readonly<Record<string, string>> {
  const plain = PLAIN_VARIABLES.flatMap((name): [string, string][] =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return Object.fromEntries(plain);
}

/** Starts a thread that runs a module of hasp, in a {@link plainEnvironment}. This process does not wait for its end. */
export function startThread<Question, Answer>(
  module: string,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits">,
): ChildProgram<Question, Answer> {
  return openChild((hear, lapse) => {
    const worker = new Worker(module, {
      ...options,
      env: plainEnvironment(),
      // The options of the process may not suit a worker: `--input-type`, an inspector's port.
      execArgv: [],
      // Standard output is for findings; nobody reads the thread's, since a reader would keep the process alive.
      stdout: true,
    });
    worker.on("message", hear);
    worker.once("error", (error: unknown) => lapse({ kind: "failed", reason: printThrown(error) }));
    worker.once("messageerror", () => lapse({ kind: "failed", reason: NO_DATA }));
    worker.once("exit", (code) => lapse({ kind: "ended", how: String(code), said: "" }));
    worker.unref();
    const send = worker.postMessage.bind(worker);
    return {
      send: (message) => send(message),
      end: () => void worker.terminate(),
      wait: (isWaiting) => (isWaiting ? worker.ref() : worker.unref()),
    };
  });
}

export const NO_DATA = "it returned a value that is not data";

/** Asks a process that is started for this one question, and ended after it. */
export async function askChild<Question, Answer>(
  module: string,
  question: Question,
  { seconds, ...options }: ProcessOptions & { readonly seconds: number },
): Promise<Reply<Answer>> {
  const child = startProcess<Question, Answer>(module, options);
  try {
    return await child.ask(question, seconds);
  } finally {
    child.end("it was closed");
  }
}

function openChild<Question, Answer>(
  connect: (hear: (message: unknown) => void, lapse: (lapse: Lapse) => void) => ChildLine,
): ChildProgram<Question, Answer> {
  const waiting = new Map<number, (reply: Reply<Answer>) => void>();
  let ended: Lapse | undefined;
  let count = 0;
  const settle = (id: number, reply: Reply<Answer>): void => {
    const answer = waiting.get(id);
    waiting.delete(id);
    answer?.(reply);
    if (waiting.size === 0) line.wait(false);
  };
  const end = (lapse: Lapse): void => {
    ended ??= lapse;
    for (const id of waiting.keys()) settle(id, { lapse: ended });
    line.end();
  };
  const line = connect((message) => {
    // Code that runs in the child may send anything.
    if (!isAnswer(message)) return;
    const { id, answer, reason } = message;
    settle(id, reason === undefined ? { answer: answer as Answer } : { lapse: { kind: "failed", reason } });
  }, end);
  return {
    isRunning: () => ended === undefined,
    end: (reason) => end({ kind: "failed", reason }),
    ask(question, seconds) {
      if (ended !== undefined) return Promise.resolve({ lapse: ended });
      const id = (count += 1);
      line.wait(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => end({ kind: "late", seconds }), seconds * 1000);
        waiting.set(id, (reply) => {
          clearTimeout(timer);
          resolve(reply);
        });
        line.send({ id, question }, ({ message }) => end({ kind: "failed", reason: message }));
      });
    },
  };
}

function isAnswer(message: unknown): message is ChildAnswer {
  if (!isStructured(message) || !("id" in message)) return false;
  return "reason" in message ? typeof message.reason === "string" : "answer" in message;
}

/** Words for a lapse, without their subject. */
export function describeLapse(lapse: Lapse, words: { readonly late?: string; readonly ended?: string } = {}): string {
  switch (lapse.kind) {
    case "late":
      return `${words.late ?? "did not answer"} within ${lapse.seconds} ${lapse.seconds === 1 ? "second" : "seconds"}`;
    case "ended": {
      const said = lapse.said.trim().replaceAll(/(?<!\s)\s*\n\s*/gu, " | ");
      return `${words.ended ?? "ended its process"} (${lapse.how})${said === "" ? "" : ` and said last: ${said}`}`;
    }
    case "failed":
      return `could not be called (${lapse.reason})`;
  }
}

/** Ends this process with its parent even while a function is stuck in a loop: a thread watches the parent. */
export function watchParent(): void {
  const watch = `const { ppid } = process;
setInterval(() => process.ppid !== ppid && process.kill(process.pid, "SIGKILL"), 500);`;
  new Worker(watch, { eval: true }).unref();
}

/** Runs this program again with other streams and variables, and passes signals on. Returns its exit code. */
export function runAgain(
  stdio: readonly ("inherit" | number)[],
  variables: { readonly [name: string]: string },
  signals: readonly NodeJS.Signals[],
): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: [...stdio],
    env: { ...process.env, ...variables },
  });
  for (const signal of signals) process.on(signal, () => void child.kill(signal));
  return new Promise((resolve) => {
    child.once("error", () => resolve(2));
    child.once("exit", (code) => resolve(code ?? 2));
  });
}
