/** The limits of an isolated call. A call that exceeds one is killed, and its error has the code of the limit. */
export interface IsolationLimits {
  readonly memoryMb?: number | undefined;
  /** Seconds of CPU time of the same processes, user and system, including the start of Node. Code `cpu-limit`. */
  readonly cpuSeconds?: number | undefined;
  /** Megabytes of its answer, progress and output together. Code `output-limit`. */
  readonly outputMb?: number | undefined;
}

/** Settings of `isolate`. */
export interface IsolateOptions extends IsolationLimits {
  /**
   * The module of the handler: a `file:` URL, such as `new URL("./run-shell.js", import.meta.url)`. If it does not
   * exist, `./run-shell.ts` is imported, which requires that an option of Node (`--import`, `--require` or `--loader`)
   * loads TypeScript in this process: the child is given the same options.
   */
  readonly module: string | URL;
  /** Default `execute`. */
  readonly export?: string;
  /** The environment variables that the handler sees. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which the process and everything it started are killed, or "unlimited". Code `time-limit`. */
  readonly timeoutSeconds: number | "unlimited";
  /** An exported function that creates the context in the child: the host's own cannot cross. */
  readonly context?: { readonly module: string | URL; readonly export: string };
}
