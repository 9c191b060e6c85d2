import { findLineStart } from "@hasp/base/diagnostics";
import type { TextSpan } from "@hasp/base/diagnostics";
import { parsePointer } from "@hasp/base/json";
import type { SourceRole } from "@hasp/compiler";
import type { FeaturePlace } from "../place.js";
import type { FileSpan } from "../language-project.js";
import { findFormat, type PlaceSchema, findRole, findSchemas } from "../document-format.js";
import { findCursor, parseSyntax, readString, type SyntaxNode } from "../syntax.js";

export interface Completion {
  readonly label: string;
  readonly kind: "key" | "value" | "tool" | "reference" | "variable";
  /** Default: the label. */
  readonly insert?: string;
  /** Markdown of hasp's own. */
  readonly documentation?: string;
}

/** A place where something is typed, without the token at the cursor. */
interface CompletionPlace extends FeaturePlace {
  readonly role: SourceRole;
  readonly isJson: boolean;
  readonly part: "key" | "value";
  readonly path: readonly string[];
  readonly schemas: readonly PlaceSchema[];
  /** The whole text with {@link MARK} in place of the token. */
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

/** A placeholder for the token in the parsed text. */
const MARK = "hasp__cursor";

/** Lists what `offers` offer at a place, in their order and each label once, and the range that it replaces. */
export function complete(
  place: FeaturePlace,
  offers: readonly Complete[],
): { readonly span: FileSpan; readonly items: readonly Completion[] } {
  const typed = completionPlace(place);
  const items = typed === undefined ? [] : offers.flatMap((offer) => offer(typed));
  const labels = new Set<string>();
  const token = typed?.token ?? { start: place.offset, end: place.offset };
  return {
    span: { uri: place.document.uri, ...token },
    items: items.filter(({ label }) => !labels.has(label) && labels.add(label) !== undefined),
  };
}

function completionPlace(place: FeaturePlace): CompletionPlace | undefined {
  const { document, project, offset } = place;
  const { text, uri } = document;
  const token = tokenAt(text, offset);
  const marked = text.slice(0, token.start) + MARK + text.slice(token.end);
  const root = parseSyntax(marked);
  const cursor = findCursor(root, token.start + 1);
  const written = cursor.part === "key" ? marked.slice(cursor.span.start, cursor.span.end) : readString(cursor.node);
  if (written?.includes(MARK) !== true) return undefined;
  const role = findRole(uri, project);
  const path = parsePointer(cursor.pointer);
  const lineStart = findLineStart(text, token.start);
  return {
    ...place,
    role,
    isJson: uri.toLowerCase().endsWith(".json"),
    part: cursor.part,
    path,
    schemas: findSchemas(findFormat(role), cursor.part === "key" ? path.slice(0, -1) : path),
    root,
    before: written.slice(0, written.indexOf(MARK)),
    around: cursor.around,
    token,
    mayBeKey: cursor.part === "key" || /^\s*(?:-\s+)*$/u.test(text.slice(lineStart, token.start)),
    isQuoted: /["']/u.test(text.charAt(token.start - 1)) || /^["']/u.test(marked.slice(cursor.span.start)),
    hasColon: /^["']?\s*:/u.test(text.slice(token.end)),
  };
}

/** Finds the token around the cursor: no space or YAML punctuation. */
function tokenAt(text: string, offset: number): TextSpan {
  const before = /[^\s,:{}[\]()"'`!&|<>=+*?]*$/u.exec(text.slice(Math.max(0, offset - 500), offset))?.[0].length ?? 0;
  const after = /^[^\s,:{}[\]()"'`!&|<>=+*?]*/u.exec(text.slice(offset, offset + 500))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

export function quoteValue(
  value: string,
  { isJson, isQuoted }: { readonly isJson: boolean; readonly isQuoted: boolean },
): string {
  if (isQuoted) return value;
  return isJson || /[:#]|^[^A-Za-z0-9_]/u.test(value) ? JSON.stringify(value) : value;
}
