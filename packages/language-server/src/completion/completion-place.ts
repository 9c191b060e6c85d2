import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";
import type { SourceRole } from "../../../compiler/src/model/document.js";
import type { PlaceSchema } from "../document-format.js";
import type { FeaturePlace } from "../place.js";
import type { SyntaxNode } from "../syntax.js";

export interface Completion {
  readonly label: string;
  readonly kind: "key" | "value" | "tool" | "reference" | "variable";
  /** Default: the label. */
  readonly insert?: string;
  /** Markdown of hasp's own. */
  readonly documentation?: string;
}

/** A place where something is typed, without the token at the cursor. */
export interface CompletionPlace extends FeaturePlace {
  readonly role: SourceRole;
  readonly isJson: boolean;
  readonly part: "key" | "value";
  readonly path: readonly string[];
  readonly schemas: readonly PlaceSchema[];
  /** The whole text with the mark of the cursor in place of the token. */
  readonly root: SyntaxNode;
  /** The string that the token is part of, up to the token. */
  readonly before: string;
  readonly around: readonly SyntaxNode[];
  readonly token: TextSpan;
  /** True if a key may begin at the token. */
  readonly mayBeKey: boolean;
  readonly isQuoted: boolean;
  readonly hasColon: boolean;
}

export type Complete = (place: CompletionPlace) => readonly Completion[];

export function quoteValue(
  value: string,
  { isJson, isQuoted }: { readonly isJson: boolean; readonly isQuoted: boolean },
): string {
  if (isQuoted) return value;
  return isJson || /[:#]|^[^A-Za-z0-9_]/u.test(value) ? JSON.stringify(value) : value;
}
