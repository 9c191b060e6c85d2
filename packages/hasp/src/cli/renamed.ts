import { own } from "@hasp/base/json";
import { printVisibleText } from "@hasp/base/diagnostics";

/** The words that take the place of a command of an earlier version. */
export const RENAMED_COMMANDS: { readonly [name: string]: string } = {
  answer: "calls answer",
  audit: "calls audit",
  clean: "build --clean",
  explain: "show",
  flatten: "schema flatten",
  list: "show",
  logout: "login --forget",
  lower: "schema lower",
  model: "show model:",
  pending: "calls",
  pin: "build --pin",
};

/** The options of earlier versions: the words of their commands, and what takes their place. */
const RENAMED_OPTIONS = [
  [/\b(?:approve|show)\b/u, /--(approval|class|flag|folder|owner|tag|toolset)[ =]/gu, "--only=$1:"],
  [/\bcalls\b/u, /--(decision|principal|tool|turn)[ =]/gu, "--only=$1:"],
  [/\bimport\b/u, /--(ours|theirs)\b/gu, "--prefer $1"],
  [/\bimport openapi\b/u, /--base-url\b/gu, "--url"],
  [/\bimport sql\b/u, /--connection-env\b/gu, "--env"],
  [/\bexport\b/u, /--remote\b/gu, "--url"],
  [/\bcalls audit\b/u, /--verify[ =]/gu, ""],
  [/\bcalls audit\b/u, /--since[ =]/gu, "--only=since:"],
  [/\bschema lower\b/u, /--allow-narrowing\b/gu, "--allow narrowing"],
  [/\bshow\b/u, /--flow(?: |$)/gu, "toolset:"],
  [/\bshow --json$/u, /--json$/gu, "model:"],
  [/\bshow\b/u, /--json\b/gu, "--format json"],
  [/\bcheck\b/u, /--(?:client|dialect)([ =])/gu, "--for$1"],
  [/\bbuild\b/u, /--update-stubs\b/gu, "--update"],
  [/\bcall\b/u, /--file[ =]/gu, ""],
  [/\bimport mcp\b/u, /--(?:command|url)[ =]/gu, ""],
] as const;

/** Says what to type in place of a line that commander refuses for a word of an earlier version. */
export function describeRenamed(message: string, words: readonly string[]): string | undefined {
  const [, refused = ""] = /^error: unknown (?:command|option) '([^']+)'/u.exec(message) ?? [];
  const next = own(RENAMED_COMMANDS, refused);
  const given = words.map(quoteWord);
  const line = (next === undefined ? given : given.toSpliced(words.indexOf(refused), 1, next)).join(" ");
  const renamed = RENAMED_OPTIONS.reduce(
    (text, [command, old, replacement]) => (command.test(text) ? text.replace(old, replacement) : text),
    line,
  );
  return next === undefined && renamed.includes(refused)
    ? undefined
    : `"${printVisibleText(refused)}" has a new name. Type: hasp ${renamed}`;
}

/** Quotes a word as shells read it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${printVisibleText(word).replaceAll("'", "'\\''")}'`;
}
