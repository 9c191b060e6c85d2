/** The bounds of one program. */
export interface ProgramLimits {
  /** Seconds of the program's own running; the time of its calls does not count. */
  readonly seconds: number;
  /** Megabytes of the whole sandbox, of which QuickJS itself takes 6. */
  readonly memoryMb: number;
  readonly calls: number;
  /** The most characters of the result as JSON, and of the console. */
  readonly resultChars: number;
}

/** A call that a program asks for: the n-th, with its input as JSON. */
export interface SandboxCall {
  readonly n: number;
  readonly toolName: string;
  readonly input: string;
}

/** The error that a program receives for a call. */
export interface SandboxError {
  readonly code: string;
  readonly message: string;
  readonly effect: string;
  readonly reference?: string | undefined;
}

/** The answer to a call: its value as JSON, or its error. */
export type SandboxAnswer = { readonly n: number } & ({ readonly value: string } | { readonly error: SandboxError });

/** The codes with which a program ends other than by returning. */
export type ProgramFaultCode =
  | "program-invalid"
  | "program-threw"
  | "program-stuck"
  | "program-time-limit"
  | "program-memory-limit"
  | "program-call-limit"
  | "program-output-limit"
  | "program-diverged";

/** The end of a program: its result as JSON, or its fault. */
export type ProgramEnd = { readonly result: string } | { readonly code: ProgramFaultCode; readonly message: string };

/** A message to the worker: a new program, or answers to calls of the running one. */
export type SandboxRequest =
  | { readonly code: string; readonly limits: ProgramLimits }
  | { readonly answers: readonly SandboxAnswer[] };

/** The worker's message before it runs a new program: from now on, the program's own time counts. */
export const LOADED = "loaded";

/** The worker's report when the program has ended or waits for answers. */
export interface SandboxReport {
  readonly calls: readonly SandboxCall[];
  /** The lines since the last report. */
  readonly console: readonly string[];
  readonly ranMs: number;
  readonly end?: ProgramEnd;
}
