import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { RefusalParameters } from "../model/messages.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { libraryOnDemand } from "../../model/library.js";
import { isLinearTime, LINEAR_TIME_HELP } from "./linear-time.js";

// Few projects have a pattern in a predicate, and the engine takes longer to load than such a project to check.
const re2 = libraryOnDemand<typeof import("re2js")>("re2js");

const LONGEST_PATTERN = 500;
/** RE2 refuses larger counts. */
const LARGEST_COUNT = 1000;

/**
 * Why `pattern` is refused, or `undefined` if it means the same to RE2 (which CEL prescribes) and to JavaScript (which
 * runs it), and is proved free of catastrophic backtracking there.
 */
export function problemOfPattern(pattern: string): RefusalParameters | undefined {
  if (pattern.length > LONGEST_PATTERN) return { variant: "pattern-length", limit: LONGEST_PATTERN };
  return problemOfSyntax(pattern) ?? problemOfMeaning(pattern) ?? problemOfBacktracking(pattern);
}

function problemOfBacktracking(pattern: string): RefusalParameters | undefined {
  if (isLinearTime(pattern)) return undefined;
  return { variant: "pattern-time", pattern, remedy: LINEAR_TIME_HELP };
}

function problemOfSyntax(pattern: string): RefusalParameters | undefined {
  const inJavaScript = refusalOf(pattern, () => new RegExp(pattern, "u"));
  if (inJavaScript !== undefined) {
    return { variant: "pattern-javascript", pattern, reason: inJavaScript };
  }
  const inRe2 = refusalOf(pattern, () => re2().RE2JS.compile(pattern));
  if (inRe2 !== undefined) {
    return { variant: "pattern-re2", pattern, reason: inRe2 };
  }
  return undefined;
}

/** What an engine says against a pattern, if anything. */
function refusalOf(pattern: string, compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    return thrownText(error).replaceAll(pattern, () => excerpt(pattern));
  }
}

// Only what is listed here has one meaning in both engines. The list is short on purpose: whatever it does not name is
// refused, so that a construct nobody thought of can never change its meaning between the author and the runtime.
const SAME_IN_BOTH = [
  { name: "escaped class", form: /^\\[dDwWbB]/u },
  { name: "escaped control character", form: /^\\[nrtfv]/u },
  { name: "escaped code", form: /^\\x[0-9A-Fa-f]{2}/u },
  { name: "escaped punctuation", form: /^\\[\^$\\.*+?()[\]{}|/]/u },
  { name: "group", form: /^\((?:\?:)?(?!\?)/u },
  { name: "count", form: /^\{\d+(?:,\d*)?\}/u },
  { name: "sign", form: /^[)|^$*+?]/u },
  { name: "character", form: /^[^\\.[\](){}|^$*+?]/u },
] as const;

const CLASS_MEMBER = /^(?:\\[dDwWnrtfv]|\\x[0-9A-Fa-f]{2}|\\[\^$\\.*+?()[\]{}|/-]|[^\\[\]])/u;

function problemOfMeaning(pattern: string): RefusalParameters | undefined {
  let rest = pattern;
  while (rest !== "") {
    if (rest.startsWith("[")) {
      const length = classLength(rest);
      if (length === undefined) return differs(rest.slice(0, rest.indexOf("]") + 1 || rest.length));
      rest = rest.slice(length);
      continue;
    }
    const form = SAME_IN_BOTH.map((each) => ({ name: each.name, found: each.form.exec(rest)?.[0] })).find(
      (each) => each.found !== undefined,
    );
    if (form?.found === undefined) {
      return differs(rest.startsWith("(?") ? rest.slice(0, 3) : rest.slice(0, rest.startsWith("\\") ? 2 : 1));
    }
    if (form.name === "count" && (form.found.match(/\d+/gu) ?? []).some((digits) => Number(digits) > LARGEST_COUNT)) {
      return { variant: "pattern-count", limit: LARGEST_COUNT, count: form.found };
    }
    rest = rest.slice(form.found.length);
  }
  return undefined;
}

/** Length of the character class at the start of `text`, if all its members mean the same in both engines. */
function classLength(text: string): number | undefined {
  let at = text.startsWith("[^") ? 2 : 1;
  const first = at;
  while (at < text.length) {
    if (text[at] === "]") return at === first ? undefined : at + 1;
    const found = CLASS_MEMBER.exec(text.slice(at))?.[0];
    if (found === undefined) return undefined;
    at += found.length;
  }
  return undefined;
}

function differs(construct: string): RefusalParameters {
  const { help } = REMEDIES.find(({ form }) => form.test(construct)) ?? {};
  const remedy = help ?? "Write plain characters, classes such as [a-z], groups, |, *, +, ?, {n,m}, ^ and $.";
  return { variant: "pattern-construct", construct, remedy };
}

const REMEDIES = [
  { form: /^\.$/u, help: "Write [^\\n] for any character but a line feed." },
  { form: /^\\s$/u, help: "Write [ \\t\\r\\n] for white space." },
  { form: /^\\S$/u, help: "Write [^ \\t\\r\\n] for anything but white space." },
  { form: /^\[\[?:/u, help: "Write out the characters, as in [a-z]." },
  { form: /^\(\?[=!<]/u, help: "Write two tests joined by && instead of a lookahead or lookbehind." },
  { form: /^\(\?[a-z]/u, help: "Write out both cases, as in [Ss][Qq][Ll]." },
] as const;
