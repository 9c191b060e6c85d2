import type { JsonObject } from "../json/json-value.js";
import { groupBy } from "../json/group-by.js";
import { compareTexts, sortBy } from "../json/sort-by.js";
import type { Severity } from "./message.js";

/** A position as in editors: line and column from 1, in UTF-16 code units. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A range of text; `end` is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  /** The path relative to the project, with `/`. */
  readonly uri: string;
  readonly range: Range;
  readonly pointer: string;
}

/** A finding with a code, an instruction and a place in the user's file. */
export interface Diagnostic {
  /** `phase/name` or a rule id. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The remedy, if the message does not say it. */
  readonly help?: string;
  /** The name or value that the author most likely meant in its place, if there is one. */
  readonly meant?: string;
  readonly tool?: string;
  /** The facts of the message, for programs. */
  readonly data?: JsonObject;
  /** `undefined` for findings about no file. */
  readonly location?: Location;
  readonly related?: readonly { readonly location: Location; readonly message: string }[];
  /** The fix of `hasp check --fix`, if there is exactly one. */
  readonly fix?: Fix;
  /** True for findings that cannot be suppressed or downgraded. */
  readonly fixed?: true;
  /** Valid only if every spec was parsed, since it says that something is missing or unused. */
  readonly needsAllSpecs?: true;
}

export interface Found<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** A certain remedy. It only removes text without effect, or moves what has a new place, so that no fix can make a claim. */
export type Fix = RemovalFix | StripFix | CommentFix | MoveFix;

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

/** Moves a value inside the object at the pointer. */
export interface MoveFix {
  readonly kind: "move";
  readonly uri: string;
  readonly pointer: string;
  readonly from: string;
  /** A key of a key, which need not be there yet; absent if the value says nothing any more. */
  readonly to?: string;
  /** The word that takes the place of the value. */
  readonly word?: string;
}

/** Removes the comment between these offsets. */
interface CommentFix {
  readonly kind: "comment";
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}

/** Offers to remove the value at a pointer, if its exact place is known. */
export function offerRemoval(location: Location | undefined, pointer: string): Pick<Diagnostic, "fix"> {
  return location?.pointer === pointer ? { fix: { kind: "remove", uri: location.uri, pointer } } : {};
}

const START: Position = { offset: 0, line: 1, column: 1 };

/** Locates a whole file, or one position in it. */
export function createLocation(uri: string, at: Position = START): Location {
  return { uri, range: { start: at, end: at }, pointer: "" };
}

/** Sorts by file, place and code and drops duplicates. Findings without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  // Sort by file first: paths are long and begin alike.
  const uriOf = ({ location }: Diagnostic): string => location?.uri ?? "";
  return sortBy(groupBy(diagnostics, uriOf), ([uri]) => uri).flatMap(([, found]) => {
    const sorted = found.toSorted(compareInFile);
    return sorted.filter((diagnostic, index) => {
      const before = sorted[index - 1];
      return before === undefined || compareInFile(before, diagnostic) !== 0;
    });
  });
}

function compareInFile(a: Diagnostic, b: Diagnostic): number {
  return (
    (a.location?.range.start.offset ?? -1) - (b.location?.range.start.offset ?? -1) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.message, b.message) ||
    compareTexts(a.tool, b.tool) ||
    compareTexts(a.location?.pointer, b.location?.pointer)
  );
}
