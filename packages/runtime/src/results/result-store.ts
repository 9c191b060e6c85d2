import type { ToolContent, AnyTool, Tool } from "../tool/definition.js";

/** Keeps results that are too long for the model. */
export interface ResultStore {
  /** Returns a reference that the model can use to read on. */
  put(result: {
    readonly callId: string;
    readonly toolName: string;
    readonly content: readonly ToolContent[];
  }): string | Promise<string>;
  /** The tool `read_result`, which the dispatcher offers once a result was stored. */
  readonly readTool?: AnyTool | undefined;
  /** True if a model may know references from another process: `read_result` is then offered from the start. */
  readonly isOfManyProcesses?: boolean;
}

/** The part of a stored result that a model asks for. */
export interface ReadResultInput {
  readonly reference: string;
  readonly from: number;
  readonly length: number;
}

/** Keeps results in memory, and has the tool that reads them. */
export interface MemoryResultStore extends ResultStore {
  /** Returns the whole text behind a reference; `undefined` if it is unknown or gone. */
  get(reference: string): string | undefined;
  readonly readTool: Tool<ReadResultInput, unknown>;
}
