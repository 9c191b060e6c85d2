/** A certain remedy. It only removes text without effect, so that no fix can make a claim. */
export type Fix = RemovalFix | StripFix | CommentFix;

interface RemovalFix {
  readonly kind: "remove";
  readonly uri: string;
  readonly pointer: string;
}

interface StripFix {
  readonly kind: "strip";
  readonly uri: string;
  readonly pointer: string;
  readonly characters: readonly string[];
}

/** Removes the comment between these offsets. */
interface CommentFix {
  readonly kind: "comment";
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}
