import type { JsonValue } from "@hasp/schema";

/** The arguments for a function of a declared handler. */
export interface HandlerCall {
  readonly input: JsonValue;
  readonly context: JsonValue;
}

/** A recorded call of a runtime function. */
export interface RecordedCall {
  readonly called: string;
  readonly from: string;
  readonly parameters: readonly unknown[];
}

export function createRecordedCall(called: string, from: string, parameters: readonly unknown[]): RecordedCall {
  return { called, from, parameters };
}

/** Prints an argument that went through `argument` of the runtime. */
export function markArgument(value: unknown): string {
  return `\u0001${String(value)}\u0001`;
}
