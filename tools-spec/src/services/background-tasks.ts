import { spawn, type ChildProcess } from "node:child_process";

/** The output of a command and how it ended. */
export interface CommandResult {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly printed: string;
}

/** Shell commands, in the foreground and in the background. */
export interface BackgroundTasks {
  /** Runs a command to its end; the signal kills it with all its children. */
  run(
    command: string,
    folder: string,
    signal: AbortSignal,
    progress: (printed: string) => void,
  ): Promise<CommandResult>;
  /** Starts a command and returns its task id. */
  start(command: string, folder: string): string;
  /** Stops a task. Returns whether it was running; `undefined` for an unknown task. */
  stop(taskId: string): Promise<boolean | undefined>;
  /** Kills all running commands. */
  close(): Promise<void>;
}

const mostCharacters = 200_000;

/** Tracks the commands that one agent started. */
export function createBackgroundTasks(): BackgroundTasks {
  const tasks = new Map<string, ChildProcess>();
  const stop = async (taskId: string): Promise<boolean | undefined> => {
    const child = tasks.get(taskId);
    if (child === undefined) return undefined;
    if (hasEnded(child)) return false;
    const ended = new Promise((resolve) => child.once("close", resolve));
    killGroup(child);
    await ended;
    return true;
  };
  return {
    run: (command, folder, signal, progress) =>
      new Promise((resolve, reject) => {
        const child = startShell(command, folder, "pipe");
        const onAbort = (): void => killGroup(child);
        let printed = "";
        const collect = (chunk: Buffer): void => {
          const text = chunk.toString("utf8");
          if (printed.length < mostCharacters) printed += text.slice(0, mostCharacters - printed.length);
          progress(text);
        };
        child.stdout?.on("data", collect);
        child.stderr?.on("data", collect);
        signal.addEventListener("abort", onAbort, { once: true });
        child.once("error", reject);
        child.once("close", (exitCode) => {
          signal.removeEventListener("abort", onAbort);
          if (signal.aborted) {
            reject(signal.reason instanceof Error ? signal.reason : new Error("The command was stopped."));
          } else resolve({ exitCode, printed });
        });
      }),
    start(command, folder) {
      const taskId = `task-${tasks.size + 1}`;
      const child = startShell(command, folder, "ignore");
      // A command that cannot start counts as a task that has ended.
      child.once("error", () => undefined);
      tasks.set(taskId, child);
      return taskId;
    },
    stop,
    async close() {
      await Promise.all([...tasks.keys()].map(stop));
    },
  };
}

function startShell(command: string, folder: string, output: "pipe" | "ignore"): ChildProcess {
  // A separate process group, so that its child processes end with it.
  return spawn("/bin/sh", ["-c", command], { cwd: folder, detached: true, stdio: ["ignore", output, output] });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group ended before the signal arrived.
  }
}
