import type { TextSpan } from "@hasp/base/diagnostics";
import { GrammarRefusal, type GrammarParameters, type GrammarProblem } from "./problem.js";
import { readRustPattern } from "./rust-pattern.js";

/** A part of a rule: a sequence (`all`), alternatives (`one`), a name, or a part that may be absent. */
type LarkExpansion =
  | { readonly kind: "all" | "one"; readonly parts: readonly LarkExpansion[] }
  | ({ readonly kind: "name" } & NamedPart)
  | { readonly kind: "optional"; readonly part: LarkExpansion };

interface NamedPart {
  readonly name: string;
  readonly start: number;
}

interface NamedExpansion {
  readonly start: number;
  readonly body: LarkExpansion;
}

interface Grammar {
  readonly definitions: ReadonlyMap<string, NamedExpansion>;
  /** The terminals of `%ignore`, which may stand between any two others. */
  readonly ignored: readonly LarkExpansion[];
  /** Parts that repeat any character without a limit. */
  readonly warnings: readonly TextSpan[];
}

/** The terminals of Lark's own library, the one that OpenAI knows. */
const COMMON: readonly string[] =
  "DIGIT HEXDIGIT INT SIGNED_INT DECIMAL FLOAT SIGNED_FLOAT NUMBER SIGNED_NUMBER ESCAPED_STRING LCASE_LETTER UCASE_LETTER LETTER WORD CNAME WS_INLINE WS CR LF NEWLINE SH_COMMENT CPP_COMMENT C_COMMENT SQL_COMMENT".split(
    " ",
  );

const DEEPEST = 100;
const MOST_PROBLEMS = 20;
const NOTHING: LarkExpansion = { kind: "all", parts: [] };

/** Checks a grammar in Lark's syntax against what OpenAI documents. */
export function checkLark(text: string): {
  readonly problems: readonly GrammarProblem[];
  readonly warnings: readonly TextSpan[];
} {
  try {
    const grammar = readLark(text);
    return { problems: findProblems(grammar).slice(0, MOST_PROBLEMS), warnings: grammar.warnings };
  } catch (error) {
    if (error instanceof GrammarRefusal) return { problems: [error.problem], warnings: [] };
    throw error;
  }
}

const SPACE = /(?:[ \t]|\/\/[^\n]*|#[^\n]*)*/uy;
const SPACE_AND_LINES = /(?:\s|\/\/[^\n]*|#[^\n]*)*/uy;
const NAME = /_?[A-Za-z](?:\w|-(?!>))*/uy;
const STRING = /"(?:[^"\\\n]|\\.)*"i?/uy;
const PATTERN = /\/(?!\/)((?:[^/\\\n]|\\.)+)\/([imsu]*)(?![a-z])/uy;
const REPETITION = /[?*+]|~\s*\d+(?:\s*\.\.\s*\d+)?|\{\s*(?:\d+\s*)?(?:,\s*(?:\d+\s*)?)?\}/uy;

/** Reads a grammar. Throws a {@link GrammarRefusal}. */
function readLark(text: string): Grammar {
  let position = 0;
  let depth = 0;
  const definitions = new Map<string, NamedExpansion>();
  const ignored: LarkExpansion[] = [];
  const warnings: TextSpan[] = [];
  const match = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = position;
    const found = form.exec(text);
    position += found?.[0].length ?? 0;
    return found;
  };
  const take = (form: RegExp): string | undefined => match(form)?.[0];
  const space = (): unknown => take(depth > 0 ? SPACE_AND_LINES : SPACE);
  const refuse = (length: number, parameters: GrammarParameters): never => {
    throw new GrammarRefusal(position, Math.min(text.length, position + length), parameters);
  };
  const expected = (what: string): never => refuse(1, { variant: "syntax", expected: what });
  const unsupported = (length: number, construct: string, remedy: string): never =>
    refuse(length, { variant: "unsupported", construct, remedy });

  const define = (name: string, start: number, body: LarkExpansion): void => {
    if (definitions.has(name)) throw new GrammarRefusal(start, start + name.length, { variant: "twice", name });
    definitions.set(name, { start, body });
  };
  const atom = (): LarkExpansion | undefined => {
    const start = position;
    const open = take(/[([]/uy);
    if (open !== undefined) {
      depth += 1;
      if (depth > DEEPEST) refuse(1, { variant: "deep", limit: DEEPEST });
      const inner = alternatives();
      space();
      const close = open === "(" ? ")" : "]";
      if (take(/[)\]]/uy) !== close) expected(`\`${close}\``);
      depth -= 1;
      return open === "[" ? { kind: "optional", part: inner } : inner;
    }
    if (take(STRING) !== undefined) {
      if (take(/\s*\.\.\s*/uy) !== undefined && take(STRING) === undefined) expected("the last character of a range");
      return NOTHING;
    }
    const pattern = match(PATTERN);
    if (pattern !== null) {
      const { unbounded } = readRustPattern(pattern[1] ?? "", start + 1);
      if (unbounded !== undefined) warnings.push(unbounded);
      return NOTHING;
    }
    const name = take(NAME);
    if (name === undefined) return undefined;
    if (/^\{[^\d,]/u.test(text.slice(position))) unsupported(1, "templates", "Write the rule out for each use.");
    return { kind: "name", name, start };
  };
  const sequence = (): LarkExpansion => {
    const parts: LarkExpansion[] = [];
    for (;;) {
      space();
      const part = atom();
      if (part === undefined) break;
      space();
      const repetition = take(REPETITION);
      const mayBeAbsent = repetition !== undefined && /^(?:[?*]|~\s*0|\{\s*[,0}])/u.test(repetition);
      parts.push(mayBeAbsent ? { kind: "optional", part } : part);
    }
    if (take(/->/uy) !== undefined) {
      space();
      if (take(NAME) === undefined) expected("a name after `->`");
      space();
    }
    return { kind: "all", parts };
  };
  function alternatives(): LarkExpansion {
    const parts = [sequence()];
    for (;;) {
      const end = position;
      // An alternative may stand on a line of its own.
      take(SPACE_AND_LINES);
      if (take(/\|/uy) === undefined) {
        position = end;
        break;
      }
      parts.push(sequence());
    }
    return { kind: "one", parts };
  }
  const importCommon = (start: number): void => {
    const [, one, list] = match(/[ \t]+common(?:\.(\w+)|[ \t]*\(([\w\s,]*)\))/uy) ?? [];
    if (one === undefined && list === undefined) {
      position = start;
      unsupported("%import".length, "imports from other libraries than `common`", "Write the definitions out.");
    }
    const alias = match(/[ \t]*->[ \t]*([A-Z_]\w*)/uy)?.[1];
    for (const name of one === undefined ? (list ?? "").split(",").map((each) => each.trim()) : [one]) {
      if (!COMMON.includes(name)) throw new GrammarRefusal(start, position, { variant: "undefined", name });
      define(alias ?? name, start, NOTHING);
    }
  };
  const directive = (start: number, name: string): void => {
    if (name === "%import") return importCommon(start);
    if (name !== "%ignore") {
      position = start;
      unsupported(name.length, `\`${name}\``, "Write rules and terminals only.");
    }
    ignored.push(alternatives());
  };

  for (take(SPACE_AND_LINES); position < text.length; take(SPACE_AND_LINES)) {
    const start = position;
    const word = take(/%\w+/uy);
    if (word !== undefined) directive(start, word);
    else {
      take(/[!?]+/uy);
      const at = position;
      const name = take(NAME) ?? expected("a rule such as `start: …`");
      if (text[position] === "{") unsupported(1, "templates", "Write the rule out for each use.");
      if (text[position] === "[") unsupported(1, "options of rules", "Leave the brackets out.");
      if (take(/\.(?=-?\d)/uy) !== undefined) {
        unsupported(1, "priorities", "Make sure that no two terminals fit the same text.");
      }
      space();
      if (take(/:/uy) === undefined) expected("`:`");
      define(name, at, alternatives());
    }
    space();
    if (position < text.length && text[position] !== "\n" && text[position] !== "\r") {
      expected("a name, a text in double quotes, a regular expression between slashes, or the end of the line");
    }
  }
  return { definitions, ignored, warnings };
}

function isTerminal(name: string): boolean {
  return /^_?[A-Z]/u.test(name);
}

function findProblems({ definitions, ignored }: Grammar): readonly GrammarProblem[] {
  const problems: GrammarProblem[] = [];
  const report = (
    variant: "undefined" | "rule-in-terminal" | "endless" | "terminal-recursion",
    at: NamedPart,
  ): void => {
    const { name, start } = at;
    problems.push({ parameters: { variant, name }, start, end: start + name.length });
  };
  if (!definitions.has("start")) problems.push({ parameters: { variant: "no-start" }, start: 0, end: 1 });
  const checkNames = (body: LarkExpansion, ofTerminal: boolean): void => {
    for (const part of listNames(body)) {
      if (!definitions.has(part.name)) report("undefined", part);
      else if (ofTerminal && !isTerminal(part.name)) report("rule-in-terminal", part);
    }
  };
  for (const body of ignored) checkNames(body, true);
  const unfounded = findUnfounded(definitions);
  for (const [name, { body, start }] of definitions) {
    checkNames(body, isTerminal(name));
    if (unfounded.has(name)) report(isTerminal(name) ? "terminal-recursion" : "endless", { name, start });
  }
  return problems;
}

function listNames(part: LarkExpansion): readonly NamedPart[] {
  if (part.kind === "name") return [part];
  return part.kind === "optional" ? listNames(part.part) : part.parts.flatMap(listNames);
}

/**
 * Finds the rules whose every alternative leads back to themselves or to another such rule, and the terminals in which
 * any part leads back to themselves or to another such terminal.
 */
function findUnfounded(definitions: Grammar["definitions"]): ReadonlySet<string> {
  const unfounded = new Set(definitions.keys());
  const isFounded = (part: LarkExpansion, ofTerminal: boolean): boolean => {
    if (part.kind === "name") return !unfounded.has(part.name) || isTerminal(part.name) !== ofTerminal;
    if (part.kind === "optional") return !ofTerminal || isFounded(part.part, ofTerminal);
    return part.kind === "all" || ofTerminal
      ? part.parts.every((each) => isFounded(each, ofTerminal))
      : part.parts.some((each) => isFounded(each, ofTerminal));
  };
  for (let size = -1; size !== unfounded.size;) {
    size = unfounded.size;
    for (const name of [...unfounded].toReversed()) {
      if (isFounded(definitions.get(name)?.body ?? NOTHING, isTerminal(name))) unfounded.delete(name);
    }
  }
  return unfounded;
}
