import { spawn, type ChildProcess } from "node:child_process";

/** The output of a command and how it ended. */
export interface CommandResult {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly printed: string;
}

/** A part of the output of a background task. */
export interface TaskOutput {
  readonly printed: string;
  /** The place where the next look continues. */
  readonly next: number;
  /** Characters that were printed before `printed` and are no longer kept. */
  readonly lost: number;
  readonly isRunning: boolean;
  /** `null` while it runs, and when a signal ended it. */
  readonly exitCode: number | null;
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
  /** Returns what a task has printed from a position on; `undefined` for an unknown task. */
  output(taskId: string, from: number): TaskOutput | undefined;
  /** Stops a task. Returns whether it was running; `undefined` for an unknown task. */
  stop(taskId: string): Promise<boolean | undefined>;
  /** Kills all running commands. */
  close(): Promise<void>;
}

const mostCharacters = 200_000;

interface Task {
  readonly child: ChildProcess;
  /** The last characters that it printed. */
  printed: string;
  /** Characters printed in all. */
  length: number;
}

/** Tracks the commands that one agent started. */
export function createBackgroundTasks(): BackgroundTasks {
  const tasks = new Map<string, Task>();
  const stop = async (taskId: string): Promise<boolean | undefined> => {
    const child = tasks.get(taskId)?.child;
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
        const child = startShell(command, folder);
        const onAbort = (): void => killGroup(child);
        let printed = "";
        const collect = (text: string): void => {
          if (printed.length < mostCharacters) printed += text.slice(0, mostCharacters - printed.length);
          progress(text);
        };
        onText(child, collect);
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
      const child = startShell(command, folder);
      // A command that cannot start counts as a task that has ended.
      child.once("error", () => undefined);
      const task: Task = { child, printed: "", length: 0 };
      onText(child, (text) => {
        task.printed = (task.printed + text).slice(-mostCharacters);
        task.length += text.length;
      });
      tasks.set(taskId, task);
      return taskId;
    },
    output(taskId, from) {
      const task = tasks.get(taskId);
      if (task === undefined) return undefined;
      const { child, printed, length } = task;
      const firstKept = length - printed.length;
      return {
        printed: printed.slice(Math.max(0, from - firstKept)),
        next: length,
        lost: Math.max(0, firstKept - from),
        isRunning: !hasEnded(child),
        exitCode: child.exitCode,
      };
    },
    stop,
    async close() {
      await Promise.all([...tasks.keys()].map(stop));
    },
  };
}

function startShell(command: string, folder: string): ChildProcess {
  // A separate process group, so that its child processes end with it.
  return spawn("/bin/sh", ["-c", command], { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] });
}

/** Passes on the text that a process prints to either output, as it comes. */
function onText(child: ChildProcess, listener: (text: string) => void): void {
  child.stdout?.setEncoding("utf8").on("data", listener);
  child.stderr?.setEncoding("utf8").on("data", listener);
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
