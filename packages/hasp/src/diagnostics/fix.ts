/**
 * The change of a text of the user's that mends a finding, where the remedy is certain: it takes something away that
 * says nothing, and it never adds anything, so that no fix can make a claim. As data, so that making a finding costs
 * nothing; `fix/` carries it out.
 */
export type Fix = RemovalFix | StripFix | CommentFix;

/** The value at a JSON Pointer goes, with its key if it has one. */
export interface RemovalFix {
  readonly kind: "remove";
  readonly uri: string;
  readonly pointer: string;
}

/** These characters go out of the text at a JSON Pointer, wherever they stand in it. */
export interface StripFix {
  readonly kind: "strip";
  readonly uri: string;
  readonly pointer: string;
  readonly characters: readonly string[];
}

/** The comment between these offsets goes. */
export interface CommentFix {
  readonly kind: "comment";
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}
