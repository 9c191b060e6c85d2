import { textWidth } from "./text-width.js";

/**
 * Text whose layout depends on the room that it finds, after Wadler's "A prettier printer": a group is printed on one
 * line if it fits, else each `line` in it becomes a line break. The same algebra as prettier's, so that the results
 * agree.
 */
export type Document = string | readonly Document[] | Group | Indent | Line | IfBroken;

interface Group {
  readonly kind: "group";
  readonly contents: Document;
  readonly isBroken: boolean;
}

interface Indent {
  readonly kind: "indent";
  readonly contents: Document;
}

interface Line {
  readonly kind: "line";
  /** What stands here where the group is flat; `undefined` for a line break in any case. */
  readonly flat: string | undefined;
}

interface IfBroken {
  readonly kind: "if-broken";
  readonly broken: Document;
  readonly flat: Document;
}

/** A space, or a line break where the group is broken. */
export const line: Line = { kind: "line", flat: " " };
/** Nothing, or a line break where the group is broken. */
export const softLine: Line = { kind: "line", flat: "" };
/** A line break in any case; it breaks every group around it. */
export const hardLine: Line = { kind: "line", flat: undefined };

/** What is printed on one line if it fits. */
export function group(contents: Document): Group {
  return { kind: "group", contents, isBroken: holdsHardLine(contents) };
}

/** What is two columns further right after each line break in it. */
export function indent(contents: Document): Indent {
  return { kind: "indent", contents };
}

/** One text where the group is broken, another where it is flat. */
export function ifBroken(broken: Document, flat: Document = ""): IfBroken {
  return { kind: "if-broken", broken, flat };
}

/** The items with a separator between them. */
export function join(separator: Document, items: readonly Document[]): Document {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

/** The text up to the first place at which the document may be broken. */
export function leadingText(document: Document): string {
  const waiting: Document[] = [document];
  let text = "";
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") text += next;
    else if (isList(next)) waiting.push(...next.toReversed());
    else if (next.kind === "group" || next.kind === "indent") waiting.push(next.contents);
    else return text;
  }
  return text;
}

function holdsHardLine(document: Document): boolean {
  if (typeof document === "string") return false;
  if (isList(document)) return document.some(holdsHardLine);
  switch (document.kind) {
    case "line":
      return document.flat === undefined;
    case "group":
      return document.isBroken;
    case "indent":
      return holdsHardLine(document.contents);
    case "if-broken":
      return holdsHardLine(document.broken);
  }
}

function isList(document: Document): document is readonly Document[] {
  return Array.isArray(document);
}

interface Command {
  readonly indentation: number;
  readonly isFlat: boolean;
  readonly document: Document;
}

/** The columns of a line. */
export const pageWidth = 80;

/** The document as text. */
export function layOut(document: Document): string {
  const waiting: Command[] = [{ indentation: 0, isFlat: false, document }];
  const lines: string[] = [];
  let current = "";
  let column = 0;
  for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
    const { indentation, isFlat, document: next } = command;
    if (typeof next === "string") {
      current += next;
      column += textWidth(next);
    } else if (isList(next)) {
      for (let index = next.length - 1; index >= 0; index -= 1) {
        waiting.push({ indentation, isFlat, document: next[index] ?? "" });
      }
    } else if (next.kind === "indent") {
      waiting.push({ indentation: indentation + 2, isFlat, document: next.contents });
    } else if (next.kind === "if-broken") {
      waiting.push({ indentation, isFlat, document: isFlat ? next.flat : next.broken });
    } else if (next.kind === "group") {
      const flat: Command = { indentation, isFlat: true, document: next.contents };
      const isFitting = isFlat || (!next.isBroken && fits(flat, waiting, pageWidth - column));
      waiting.push(isFitting ? flat : { indentation, isFlat: false, document: next.contents });
    } else if (isFlat && next.flat !== undefined) {
      current += next.flat;
      column += next.flat.length;
    } else {
      lines.push(current.replace(/ +$/u, ""));
      current = " ".repeat(indentation);
      column = indentation;
    }
  }
  return [...lines, current].join("\n");
}

/** Whether a command and what follows it up to the next line break fit into the room that is left. */
function fits(next: Command, rest: readonly Command[], room: number): boolean {
  const waiting: Command[] = [next];
  let left = room;
  let restIndex = rest.length;
  while (left >= 0) {
    const command = waiting.pop() ?? rest[--restIndex];
    if (command === undefined) return true;
    const { indentation, isFlat, document } = command;
    if (typeof document === "string") {
      left -= textWidth(document);
    } else if (isList(document)) {
      for (let index = document.length - 1; index >= 0; index -= 1) {
        waiting.push({ indentation, isFlat, document: document[index] ?? "" });
      }
    } else if (document.kind === "indent") {
      waiting.push({ indentation, isFlat, document: document.contents });
    } else if (document.kind === "group") {
      waiting.push({ indentation, isFlat: isFlat && !document.isBroken, document: document.contents });
    } else if (document.kind === "if-broken") {
      waiting.push({ indentation, isFlat, document: isFlat ? document.flat : document.broken });
    } else {
      if (!isFlat || document.flat === undefined) return true;
      left -= document.flat.length;
    }
  }
  return false;
}
