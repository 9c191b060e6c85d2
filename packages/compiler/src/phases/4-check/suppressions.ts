import ignore from "ignore";
import { Lexer } from "yaml";
import type { JsonValue } from "@hasp/schema";
import { findLineStart, findSuggestions, type Diagnostic, type Location, offerRemoval } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "../../model/document.js";
import type { CompilePlan, IgnorePlan } from "../../model/plan.js";
import { checkDiagnostics } from "./diagnostics.js";
import { isOfPhase } from "../../model/finding-ids.js";
import { appendToPointer, groupBy, isList, isObject, readOwnMember } from "@hasp/base/json";

export interface KnownRules {
  readonly ids: readonly string[];
  readonly fixed: ReadonlySet<string>;
}

/** Removes what authors suppress and reports faulty suppressions. `broken` files have no unused ones: no rule saw them. */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  documents: readonly LoadedDocument[],
  { ignore: ignored, locations = {} }: Pick<CompilePlan, "ignore" | "locations">,
  known: KnownRules,
  broken: ReadonlySet<LoadedDocument>,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const suppressions = documents.flatMap(readSuppressions).filter((suppression) => {
    const problem = problemOfSuppression(suppression, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  });
  const entries = ignored.flatMap((entry, index) => {
    const location = locations[`/ignore/${index}`];
    const removal = offerRemoval(location, location?.pointer ?? "");
    const problem = problemOfEntry(entry, location, removal, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined ? [{ entry, location, removal, paths: ignore().add(entry.path) }] : [];
  });

  const used = new Set<object>();
  const suppressionsByUri = groupBy(suppressions, ({ location }) => location.uri);
  const left = diagnostics.filter(({ code, location, fixed }) => {
    if (fixed === true || location === undefined) return true;
    let isSuppressed = false;
    const use = (suppressing: object): void => {
      used.add(suppressing);
      isSuppressed = true;
    };
    for (const suppression of suppressionsByUri.get(location.uri) ?? []) {
      if (suppression.rule === code && suppression.line === location.range.start.line) use(suppression);
    }
    for (const { entry, paths } of entries) if (entry.rule === code && paths.ignores(location.uri)) use(entry);
    return !isSuppressed;
  });

  const unused = suppressions.filter((suppression) => !used.has(suppression));
  const isSeen = (document: LoadedDocument): boolean =>
    !broken.has(document) && (document.role === "spec" || broken.size === 0);
  const seen = unused.length === 0 ? undefined : new Set(documents.filter(isSeen).map(({ uri }) => uri));
  for (const suppression of unused) {
    if (seen?.has(suppression.location.uri) === true) {
      problems.push(
        checkDiagnostics(
          "unused-silence",
          suppression.location,
          { rule: suppression.rule },
          withoutComment(suppression),
        ),
      );
    }
  }
  for (const { entry, location, removal } of entries) {
    if (!used.has(entry) && broken.size === 0) {
      problems.push(checkDiagnostics("unused-ignore", location, { rule: entry.rule, path: entry.path }, removal));
    }
  }
  return [...left, ...problems];
}

function withoutComment({ location: { uri, range } }: Suppression): Pick<Diagnostic, "fix"> {
  return { fix: { kind: "comment", uri, start: range.start.offset, end: range.end.offset } };
}

function problemOfSuppression(suppression: Suppression, known: KnownRules): Diagnostic | undefined {
  const { rule, reason, location } = suppression;
  if (!known.ids.includes(rule)) {
    const nearest = findSuggestions(rule, known.ids);
    return isOfPhase(rule, nearest)
      ? checkDiagnostics("silence-of-unknown-rule", location, { variant: "finding", rule }, withoutComment(suppression))
      : checkDiagnostics("silence-of-unknown-rule", location, { variant: "rule", rule, nearest });
  }
  if (known.fixed.has(rule)) {
    return checkDiagnostics("silence-of-fixed-rule", location, { rule }, withoutComment(suppression));
  }
  if (reason === "") return checkDiagnostics("silence-without-reason", location, { rule });
  return undefined;
}

function problemOfEntry(
  { rule, path, reason }: IgnorePlan,
  location: Location | undefined,
  removal: Pick<Diagnostic, "fix">,
  known: KnownRules,
): Diagnostic | undefined {
  if (!known.ids.includes(rule)) {
    return checkDiagnostics("unknown-rule", location, { rule, nearest: findSuggestions(rule, known.ids) });
  }
  if (known.fixed.has(rule)) return checkDiagnostics("ignore-of-fixed-rule", location, { rule, path }, removal);
  if (reason.trim() === "") return checkDiagnostics("ignore-without-reason", location, { rule, path });
  return undefined;
}

interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly location: Location;
  /** The line whose findings it suppresses. */
  readonly line: number;
}

const MARK = "hasp-ignore";
const COMMENT = /^#\s*hasp-ignore\b(?:[ \t]*(?!--)(\S+))?(?:[ \t]+--(.*))?$/u;

/** Finds the suppressing comments of a YAML file. The same words inside a text do not count. */
function readSuppressions(document: LoadedDocument): readonly Suppression[] {
  const { text } = document;
  if (document.role === "ledger" || !text.includes(MARK) || document.uri.endsWith(".json")) return [];
  const suppressions: Suppression[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    const found = token.startsWith("#") ? COMMENT.exec(token.trimEnd()) : null;
    // The lexer marks the start of a document and of a scalar with control characters that the text does not hold.
    const at = text.indexOf(token, offset);
    if (at !== -1) offset = at + token.length;
    if (found === null || at === -1) continue;
    const location = locationOf(document, at, at + token.trimEnd().length);
    const isAlone = text.slice(findLineStart(text, at), at).trim() === "";
    const line = isAlone ? lineBelow(text, location.range.start.line) : location.range.start.line;
    suppressions.push({ rule: found[1] ?? "", reason: (found[2] ?? "").trim(), location, line });
  }
  return suppressions;
}

/**
 * A suppression with the places whose findings it suppresses. A place is a pointer that names an item of a list by its
 * `name`, if it has one, since its index changes when items are added.
 */
export interface PlacedSuppression extends Suppression {
  readonly places: ReadonlySet<string>;
}

export function placeSuppressions(document: LoadedDocument): readonly PlacedSuppression[] {
  const found = readSuppressions(document).map((each) => ({ ...each, places: new Set<string>() }));
  const visit = (value: JsonValue, pointer: string, place: string): void => {
    const [key, { start, end }] = [document.locate(pointer, "key").range, document.locate(pointer).range];
    const isText = !isObject(value) && !isList(value);
    for (const { line, places } of found) {
      const isOn = line === key.start.line || line === start.line || (isText && start.line < line && line <= end.line);
      if (isOn) places.add(place);
    }
    if (isText) return;
    for (const [token, child] of Object.entries(value)) {
      const name = isList(value) ? readOwnMember(child, "name") : undefined;
      visit(child, appendToPointer(pointer, token), appendToPointer(place, typeof name === "string" ? name : token));
    }
  };
  if (found.length > 0) visit(document.value, "", "");
  return found;
}

/** Returns the first line below a comment that is not a comment, so that comments may be stacked. */
function lineBelow(text: string, line: number): number {
  const lines = text.split("\n");
  let below = line + 1;
  while (below <= lines.length && /^\s*(?:#.*)?$/u.test(lines[below - 1] ?? "")) below += 1;
  return below;
}

function locationOf({ uri, text }: LoadedDocument, start: number, end: number): Location {
  const position = (offset: number): Location["range"]["start"] => {
    const before = text.slice(0, offset);
    return { offset, line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
  };
  return { uri, pointer: "", range: { start: position(start), end: position(end) } };
}
