import {
  isComposite,
  isList,
  isShorthand,
  leafText,
  type LiteralObject,
  type LiteralValue,
  type Notation,
} from "./notation.js";
import { textWidth } from "./text-width.js";

/**
 * The value on one line; nothing where that takes more than `room` columns, or where prettier breaks it in any case.
 */
export function flatText(value: LiteralValue, notation: Notation, room: number): string | undefined {
  const line: Line = { text: "", room };
  return append(line, value, notation) ? line.text : undefined;
}

/** A line that is being written, and the columns that are left of it. */
interface Line {
  text: string;
  room: number;
}

/** Appends a value; `false` as soon as it is certain that it does not fit. */
function append(line: Line, value: LiteralValue, notation: Notation): boolean {
  if (isComposite(value)) {
    return isList(value) ? appendList(line, value, notation) : appendObject(line, value, notation);
  }
  if (typeof value === "string" && notation.plainText.test(value)) {
    line.room -= value.length + 2;
    if (line.room >= 0) line.text += `"${value}"`;
  } else {
    const text = leafText(value, notation);
    line.text += text;
    line.room -= textWidth(text);
  }
  return line.room >= 0;
}

function appendList(line: Line, values: readonly LiteralValue[], notation: Notation): boolean {
  if (3 * values.length > line.room || mustBreak(values)) return false;
  line.room -= 2 * values.length;
  line.text += "[";
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) line.text += ", ";
    if (!append(line, values[index] ?? null, notation)) return false;
  }
  line.text += "]";
  return true;
}

function appendObject(line: Line, value: LiteralObject, notation: Notation): boolean {
  line.room -= 2;
  let separator = "{ ";
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const key = notation.key(name);
    const inner = value[name] ?? null;
    line.text += separator + key;
    line.room -= 2 + textWidth(key);
    separator = ", ";
    if (isShorthand(inner, key)) continue;
    line.text += ": ";
    line.room -= 2;
    if (line.room < 0 || !append(line, inner, notation)) return false;
    const suffix = isComposite(inner) ? notation.suffix(key) : "";
    line.text += suffix;
    line.room -= suffix.length;
  }
  line.text += " }";
  return line.room >= 0;
}

/**
 * Prettier's rule: a list of several objects (or of several lists), each with more than one entry, is always broken.
 */
function mustBreak(items: readonly LiteralValue[]): boolean {
  const [first] = items;
  if (items.length < 2 || first === undefined || !isComposite(first)) return false;
  const areLists = isList(first);
  return items.every(
    (item) =>
      isComposite(item) && isList(item) === areLists && (isList(item) ? item.length : Object.keys(item).length) > 1,
  );
}
