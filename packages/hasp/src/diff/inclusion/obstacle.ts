/** What keeps a proof from being complete: a keyword of the outer schema that the inner one does not imply. */
export interface Obstacle {
  /** JSON Pointer into the outer schema. */
  readonly pointer: string;
  /** The place in an instance, `*` for any item or any undeclared key. */
  readonly place: string;
  readonly keyword: string;
}
