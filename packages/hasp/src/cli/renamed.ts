import { printVisibleText } from "@hasp/base/diagnostics";
import type { CommanderError } from "commander";

/** The words that take the place of a command of an earlier version. */
export const RENAMED_COMMANDS: { readonly [name: string]: readonly string[] } = {
  clean: ["build", "--clean"],
  logout: ["login", "--forget"],
  pin: ["build", "--pin"],
};

/** Says what to type in place of a command that an earlier version had; `undefined` if it never had such a one. */
export function describeRenamed({ code, message }: CommanderError, words: readonly string[]): string | undefined {
  const [, name = ""] = /'([^']+)'/u.exec(message) ?? [];
  const next =
    code === "commander.unknownCommand" && Object.hasOwn(RENAMED_COMMANDS, name) ? RENAMED_COMMANDS[name] : undefined;
  if (next === undefined) return undefined;
  const line = words.toSpliced(words.indexOf(name), 1, ...next);
  return `"hasp ${name}" is now "hasp ${next.join(" ")}". Type: hasp ${line.map(quoteWord).join(" ")}`;
}

/** Quotes a word as shells read it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${printVisibleText(word).replaceAll("'", "'\\''")}'`;
}
