/**
 * A change to the user's text that fixes a finding whose remedy is certain. It only removes text that has no effect, so
 * that no fix can make a claim. `fixes/` applies it.
 */
export type Fix = RemovalFix | StripFix | CommentFix;

/** Removes the value at a JSON Pointer, with its key if it has one. */
interface RemovalFix {
  readonly kind: "remove";
  readonly uri: string;
  readonly pointer: string;
}

/** Removes these characters everywhere in the string at a JSON Pointer. */
interface StripFix {
  readonly kind: "strip";
  readonly uri: string;
  readonly pointer: string;
  readonly characters: readonly string[];
}

/** The comment between these offsets goes. */
interface CommentFix {
  readonly kind: "comment";
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}
