/** An effect that a declaration proves. */
export interface Effect {
  /**
   * `reads`: changes nothing. `writes`: changes something, or is not proved to change nothing. `unknown`: the
   * declaration proves nothing; contradicts and supports no claim.
   */
  readonly verdict: "reads" | "writes" | "unknown";
  /** True if it deletes or overwrites something; absent if unknown. */
  readonly destructive?: boolean;
  /** True if repeating the call changes nothing more; absent if unknown. */
  readonly idempotent?: boolean;
  /** Follows "it": `deletes rows of "orders"`. */
  readonly reason: string;
  /** JSON Pointer of the value in the declaration that proves it. */
  readonly at: string;
  /** The part of that value, if it is a string, in UTF-16 units. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** An effect without its place. */
export type Happening = Omit<Effect, "at" | "span">;
