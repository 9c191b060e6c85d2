import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";
import { parsePointer } from "../../../compiler/src/model/json.js";
import type { FeaturePlace } from "../place.js";
import type { FileSpan } from "../language-project.js";
import { findFormat, findRole, findSchemas } from "../document-format.js";
import { findCursor, parseSyntax, readString } from "../syntax.js";
import {
  completeConditionNames,
  completeConnections,
  completeContextFields,
  completeReferences,
  completeToolNames,
} from "./names.js";
import type { Complete, Completion, CompletionPlace } from "./completion-place.js";
import { formatKeys, formatValues, propertyNames } from "./schema-words.js";

/** In the order in which editors show them. */
const COMPLETIONS: readonly Complete[] = [
  completeToolNames,
  completeReferences,
  completeConnections,
  completeContextFields,
  completeConditionNames,
  propertyNames,
  formatValues,
  formatKeys,
];

/** A placeholder for the token in the parsed text. */
const MARK = "hasp__cursor";

/** Lists completions at a place, and the range that they replace. */
export function complete(place: FeaturePlace): { readonly span: FileSpan; readonly items: readonly Completion[] } {
  const typed = completionPlace(place);
  const items = typed === undefined ? [] : COMPLETIONS.flatMap((each) => each(typed));
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
  const lineStart = text.lastIndexOf("\n", token.start - 1) + 1;
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
