import { createSpanMapBuilder, type SourceSpan, type SpanMap, type SpanMapBuilder } from "@hasp/compiler/source";

/** Finds the places of a configuration in its program, which is not run. Computed values have their expression's place. */
export function findSpansInProgram(text: string): SpanMap {
  const spans = createSpanMapBuilder();
  try {
    const start = startOfConfiguration(text);
    if (start === undefined) return nowhere();
    readValue({ text, spans }, start);
    return spans.build();
  } catch (error) {
    // A text that is nothing but brackets exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    return nowhere();
  }
}

function nowhere(): SpanMap {
  const spans = createSpanMapBuilder();
  spans.open(0);
  return spans.build();
}

interface Reading {
  readonly text: string;
  readonly spans: SpanMapBuilder;
}

/** Adds the value that begins at `at` to the map. Returns the offset after the whole expression. */
function readValue(reading: Reading, at: number, name?: string, key?: SourceSpan): number {
  const { text, spans } = reading;
  const index = spans.open(at, name, key);
  const first = text.charAt(at);
  const end =
    first === "{" ? readMembers(reading, at) : first === "[" ? readItems(reading, at) : endOfExpression(text, at);
  spans.close(index, end);
  // `as const`, `satisfies HaspConfig` and the like.
  return endOfExpression(text, end);
}

function readMembers(reading: Reading, at: number): number {
  const { text, spans } = reading;
  let next = behindBlank(text, at + 1);
  while (next < text.length && text.charAt(next) !== "}") {
    const key = readKey(text, next);
    const behindKey = key === undefined ? next : behindBlank(text, key.span.end);
    if (key === undefined) next = endOfExpression(text, next);
    else if (text.charAt(behindKey) === ":") {
      next = readValue(reading, behindBlank(text, behindKey + 1), key.name, key.span);
    } else {
      // `{ rules }`, or a method.
      const index = spans.open(next, key.name, key.span);
      next = endOfExpression(text, next);
      spans.close(index, next);
    }
    next = behindComma(text, next);
  }
  return next + 1;
}

function readItems(reading: Reading, at: number): number {
  const { text } = reading;
  let next = behindBlank(text, at + 1);
  while (next < text.length && text.charAt(next) !== "]") {
    // After a spread, the index of an item is unknown.
    if (text.startsWith("...", next)) return endOfToken(text, at);
    next = behindComma(text, readValue(reading, next));
  }
  return next + 1;
}

/** Reads a literal key; `undefined` for a spread or a computed key. */
function readKey(text: string, at: number): { readonly name: string; readonly span: SourceSpan } | undefined {
  const written = matchAt(/[\p{ID_Continue}$]+|"[^"\\\n]*"|'[^'\\\n]*'/uy, text, at);
  if (written === "") return undefined;
  const name = /^["']/u.test(written) ? written.slice(1, -1) : written;
  return { name, span: { start: at, end: at + written.length } };
}

/** Finds the offset of the object or list that the program exports. */
function startOfConfiguration(text: string): number | undefined {
  const exported = behindWords(text, "export", "default");
  const followed = new Set<string>();
  let at = exported;
  while (at !== undefined) {
    const first = text.charAt(at);
    if (first === "{" || first === "[") return at;
    const word = matchAt(WORD, text, at);
    const behindWord = behindBlank(text, at + word.length);
    if (first === "(" || (word !== "" && text.charAt(behindWord) === "(")) {
      // The first argument of `defineConfig(…)`.
      at = behindBlank(text, (first === "(" ? at : behindWord) + 1);
    } else if (word === "" || followed.has(word)) return undefined;
    else {
      followed.add(word);
      at = startOfConstant(text, word);
    }
  }
  return undefined;
}

function startOfConstant(text: string, name: string): number | undefined {
  let at = ["const", "let", "var"].map((word) => behindWords(text, word, name)).find((found) => found !== undefined);
  while (at !== undefined && at < text.length && !/^=[^=>]/u.test(text.slice(at, at + 2))) {
    at = behindBlank(text, endOfToken(text, at));
  }
  return at === undefined ? undefined : behindBlank(text, at + 1);
}

/** Returns the offset after the first place, outside all brackets, where `second` follows `first`. */
function behindWords(text: string, first: string, second: string): number | undefined {
  let previous = "";
  for (let at = behindBlank(text, 0); at < text.length;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (previous === first && token === second) return behindBlank(text, end);
    previous = token;
    at = behindBlank(text, end);
  }
  return undefined;
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))*/uy;
const OPENING = "([{";
const CLOSING = ")]}";

function behindBlank(text: string, at: number): number {
  return at + matchAt(BLANK, text, at).length;
}

/** Skips a comma. If neither a comma nor a closing bracket follows, gives up at the end of the text. */
function behindComma(text: string, at: number): number {
  const next = behindBlank(text, at);
  if (text.charAt(next) === ",") return behindBlank(text, next + 1);
  return CLOSING.includes(text.charAt(next)) ? next : text.length;
}

/** Returns the offset after the last token before the comma, semicolon or closing bracket that ends an expression. */
function endOfExpression(text: string, at: number): number {
  let end = at;
  for (let next = behindBlank(text, at); next < text.length && !`,;${CLOSING}`.includes(text.charAt(next));) {
    end = endOfToken(text, next);
    next = behindBlank(text, end);
  }
  return end;
}

/** Returns the offset after the word, string, template, bracketed group or character that begins at `at`. */
function endOfToken(text: string, at: number): number {
  let depth = 0;
  let next = at;
  do {
    const character = text.charAt(next);
    if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) depth -= 1;
    next += Math.max(
      1,
      matchAt(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`|[\p{ID_Continue}$]+/uy, text, next)
        .length,
    );
    if (depth > 0) next = behindBlank(text, next);
  } while (depth > 0 && next < text.length);
  return next;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
