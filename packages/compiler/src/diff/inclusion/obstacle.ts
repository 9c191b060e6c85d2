/** A keyword of the outer schema that the inner schema does not imply. */
export interface Obstacle {
  /** A JSON Pointer into the outer schema. */
  readonly pointer: string;
  /** The location in an instance; `*` is any item or undeclared key. */
  readonly location: string;
  readonly keyword: string;
}
