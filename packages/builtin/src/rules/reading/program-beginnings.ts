import { HTTP_CLIENTS, KNOWN_PROGRAMS, INTERPRETERS } from "@hasp/handlers/build";
import { own } from "@hasp/base/json";

/** Programs whose names also begin English sentences; the next word decides. */
const ENGLISH: ReadonlySet<string> = new Set(
  (
    "cat comm cut cp dd diff du echo false file find free head id install kill ln nl node nice od patch ps reboot sed seq shred " +
    "script shutdown sort stat tail tee test time touch tr tree true truncate unlink uptime watch wc which halt parallel flock helm go fish dash command"
  ).split(" "),
);

const STATEMENT =
  /^\s*(?:select|insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+(?:table|schema|database)|truncate\s+table|explain\s|with\s+\w+\s+as\b|alter\s+table|create\s+table|match\s*\()(?:\s|$)/iu;

/** True for the start of a program: a command with a known name, or an SQL statement. */
export function beginsProgram(text: string): boolean {
  if (/^\s*SELECT\b/u.test(text) || STATEMENT.test(text)) return true;
  const [, path = "", rest = ""] = /^\s*([\w./-]+)(.*)/su.exec(text) ?? [];
  const name = path.replace(/^.*\//u, "");
  const isKnown =
    own(KNOWN_PROGRAMS, name) !== undefined || own(HTTP_CLIENTS, name) !== undefined || INTERPRETERS.has(name);
  if (!isKnown) return false;
  return !ENGLISH.has(name) || name !== path || /^\s+(?:$|[^\sA-Za-z])/u.test(rest);
}

/** True for a pattern of program starts: `^(ls|cat) `, `^git\\b`. */
export function matchesProgram(pattern: string): boolean {
  const plain = pattern
    .replace(/^\^?(?:\((?:\?[:i]+)?)?/u, "")
    .replaceAll(/\\s[+*]?|\[[^\]]*\]?[+*]?|\.[+*]/gu, " ")
    .replaceAll(/\\b|[()^$]/gu, "");
  return plain.split("|").some(beginsProgram);
}
