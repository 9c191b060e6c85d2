import type { TextSpan } from "@hasp/base/diagnostics";
import { dropUndefined } from "@hasp/base/json";
import { GrammarRefusal } from "./problem.js";

/** A regular expression of Rust's crate `regex` that OpenAI takes, rewritten for JavaScript's flag `u`. */
interface RustPattern {
  readonly source: string;
  /** True if it is anchored at both ends, in each alternative. */
  readonly isAnchored: boolean;
  /** The first part that repeats any character without a limit, which makes models drift. */
  readonly unbounded?: TextSpan;
}

const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})/uy;
const ESCAPE =
  /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[ux]\{[\dA-Fa-f]{1,6}\}|[pP](?:[A-Z]|\{[\w=]+\})|[dDsSwWnrtfv]|[ -/:;=?@[-`{-~])/uy;
const ASSERTION = /\^|\$|\\[bBAz](?!\{)/uy;
const GROUP = /\((?:\?(?:P?<[A-Za-z_]\w*>|:))?(?!\?)/uy;
const LITERAL = /[^\\()[*+?{|^$.]/uy;
const DEEPEST = 100;

const UNSUPPORTED = [
  {
    form: /\(\?<?[=!]/uy,
    construct: "lookaheads or lookbehinds",
    remedy: "Say what may stand here instead of what may not.",
  },
  { form: /\(\?[a-zA-Z-]+[:)]/uy, construct: "flags inside a pattern", remedy: "Write both cases, as in [Aa]." },
  { form: /\\[1-9k]/uy, construct: "references to groups", remedy: "Write out what may stand here." },
] as const;

const JAVASCRIPT: { readonly [rust: string]: string } = { "\\A": "^", "\\z": "$" };

/** Reads a regular expression, which begins at offset `at` of the grammar. Throws a {@link GrammarRefusal}. */
export function readRustPattern(text: string, at = 0): RustPattern {
  let position = 0;
  let depth = 0;
  const names = new Set<string | undefined>();
  let hasAlternatives = false;
  let endsAt = -1;
  let unbounded: RustPattern["unbounded"];
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = position;
    const [found] = form.exec(text) ?? [];
    position += found?.length ?? 0;
    return found;
  };
  const unsupported = (length: number, construct: string, remedy: string): never => {
    throw new GrammarRefusal(at + position, at + position + length, { variant: "unsupported", construct, remedy });
  };
  const expected = (what: string): never => {
    throw new GrammarRefusal(at + position, at + Math.min(text.length, position + 1), {
      variant: "syntax",
      expected: what,
    });
  };
  const escape = (): string | undefined => {
    const found = take(ESCAPE);
    if (found === undefined) return undefined;
    if (/^\\[pP][A-Z]$/u.test(found)) return `${found.slice(0, 2)}{${found[2]}}`;
    if (/^\\[ux]/u.test(found)) return `\\u{${found.replaceAll(/\\[ux]|[{}]/gu, "")}}`;
    // JavaScript takes an escape only of a character that has a meaning there.
    return /^\\[^A-Za-z^$\\.*+?()[\]{}|/]$/u.test(found) ? found.slice(1) : found;
  };
  const readClass = (): string | undefined => {
    let source = take(/\[\^?/uy);
    if (source === undefined) return undefined;
    // The first `]` of a class stands for itself.
    for (let isFirst = true; isFirst || !text.startsWith("]", position); isFirst = false) {
      if (/^(?:\[|&&|--|~~)/u.test(text.slice(position, position + 2))) {
        unsupported(1, "classes inside classes", "Write out the characters, as in [a-z].");
      }
      const member = take(/\\-/uy) ?? escape() ?? take(/[^\\[]/uy) ?? expected("`]`");
      source += member === "]" ? "\\]" : member;
    }
    position += 1;
    return `${source}]`;
  };
  const choice = (): string => {
    let source = "";
    let last: { readonly start: number; readonly isAny: boolean } | undefined;
    for (;;) {
      const start = position;
      if (take(/\|/uy) !== undefined) {
        source += "|";
        hasAlternatives ||= depth === 0;
        last = undefined;
        continue;
      }
      const quantifier = take(QUANTIFIER);
      if (quantifier !== undefined) {
        if (last === undefined) {
          position = start;
          expected("something to repeat");
        }
        if (/[?+]/u.test(text[position] ?? "")) {
          unsupported(1, "lazy or possessive repetitions", "Leave out the `?` or `+` after the repetition.");
        }
        if (last?.isAny === true && /[*+]|,\}/u.test(quantifier)) {
          unbounded ??= { start: at + last.start, end: at + position };
        }
        source += quantifier;
        last = undefined;
        continue;
      }
      const assertion = take(ASSERTION);
      if (assertion !== undefined) {
        source += JAVASCRIPT[assertion] ?? assertion;
        if (source.endsWith("$")) endsAt = position;
        last = undefined;
        continue;
      }
      for (const { form, construct, remedy } of UNSUPPORTED) {
        const found = take(form);
        if (found === undefined) continue;
        position = start;
        unsupported(found.length, construct, remedy);
      }
      const group = take(GROUP);
      if (group !== undefined) {
        const [, name] = /<([^<>]*)>/u.exec(group) ?? [];
        if (name !== undefined && names.has(name)) {
          throw new GrammarRefusal(at + start, at + position, { variant: "twice", name });
        }
        names.add(name);
        depth += 1;
        if (depth > DEEPEST) throw new GrammarRefusal(at + start, at + position, { variant: "deep", limit: DEEPEST });
        const inner = choice();
        if (!text.startsWith(")", position)) expected("`)`");
        position += 1;
        depth -= 1;
        source += `(?:${inner})`;
        last = { start, isAny: /^(?:\.\|\\n|\\n\|\.|\[\^\\n\]\|\\n|\\n\|\[\^\\n\])$/u.test(inner) };
        continue;
      }
      const any = take(/\./uy) === undefined ? undefined : "[^\\n]";
      const atom = any ?? readClass() ?? escape() ?? take(LITERAL);
      if (atom === undefined) {
        if (text.startsWith("(", position)) expected("a group such as `(?:…)`");
        if (text.startsWith("\\", position)) expected("an escape of Rust's regular expressions");
        return source;
      }
      source += /^[\]}]$/u.test(atom) ? `\\${atom}` : atom;
      last = { start, isAny: any !== undefined || /^\[(?:\\s\\S|\\S\\s|\\d\\D|\\w\\W)\]$/u.test(atom) };
    }
  };
  const source = choice();
  if (position < text.length) {
    expected(text.startsWith("{", position) ? "a repetition such as `{1,20}`" : "a part of a pattern");
  }
  try {
    // JavaScript does not know all of Rust's names of classes, so any name passes here.
    RegExp(source.replaceAll(/\\([pP])\{[\w=]+\}/gu, "\\$1{L}"), "u");
  } catch (error) {
    const reason = String((error as Error).message).replace(/^.*: /su, "");
    throw new GrammarRefusal(at, at + text.length, { variant: "pattern-invalid", reason });
  }
  const isAnchored = !hasAlternatives && source.startsWith("^") && endsAt === text.length;
  return { source, isAnchored, ...dropUndefined({ unbounded }) };
}
