/** A gap in a proof: a keyword of the outer schema that the inner one does not imply. */
export interface Obstacle {
  /** JSON Pointer into the outer schema. */
  readonly pointer: string;
  /** The location in an instance, `*` for any item or any undeclared key. */
  readonly location: string;
  readonly keyword: string;
}
