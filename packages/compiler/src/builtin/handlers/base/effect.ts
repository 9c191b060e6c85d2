/** Something that a declared handler does, as far as its declaration shows. */
export interface Effect {
  /**
   * `reads`: it changes nothing. `writes`: it changes something, or nothing shows that it does not. `unknown`: the
   * declaration says nothing about it; this contradicts no claim and supports none.
   */
  readonly verdict: "reads" | "writes" | "unknown";
  /** Whether it destroys or overwrites something; omitted where the declaration does not show it. */
  readonly destructive?: boolean;
  /** Whether a repeated call changes nothing more; omitted where the declaration does not show it. */
  readonly idempotent?: boolean;
  /** What it does, to follow "it": `deletes rows of "orders"`. */
  readonly reason: string;
  /** JSON Pointer of the value in the declaration that shows it. */
  readonly at: string;
  /** The part of that value, if it is a text, in UTF-16 units. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** What happens, without its place. */
export type Happening = Omit<Effect, "at" | "span">;
