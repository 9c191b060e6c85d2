/** What an isolated call may use. If it uses more, it is killed, and its error has the code of the limit. */
export interface IsolationLimits {
  /**
   * Megabytes of resident memory of the process, buffers included, and on Linux of the processes that it started; Node
   * itself takes about 50. Measured 20 times a second, so what is allocated faster may exceed it for a moment. Code
   * `memory-limit`.
   */
  readonly memoryMb?: number | undefined;
  /** Seconds of CPU time of the same processes, user and system, the start of Node included. Code `cpu-limit`. */
  readonly cpuSeconds?: number | undefined;
  /** Megabytes that it answers, reports as progress and prints, together. Code `output-limit`. */
  readonly outputMb?: number | undefined;
}

/** Settings of `isolate`. */
export interface IsolateOptions extends IsolationLimits {
  /**
   * The module that holds the handler: a `file:` URL, such as `new URL("./run-shell.js", import.meta.url)`. Where it does
   * not exist, `./run-shell.ts` is imported, which requires that this process loads TypeScript by an option of Node
   * (`--import`, `--require` or `--loader`): the child is given the same options.
   */
  readonly module: string | URL;
  /** Default `execute`. */
  readonly export?: string;
  /** The environment variables that the handler sees. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which the process and all it started are killed, or "unlimited". Code `time-limit`. */
  readonly timeoutSeconds: number | "unlimited";
  /** An exported function that creates the context in the child, since the host's own cannot cross. */
  readonly context?: { readonly module: string | URL; readonly export: string };
}
