import { sha256 } from "../../../runtime/src/json/sha256.js";
import { groupBy } from "../model/group-by.js";

/**
 * The names that a tool has in generated code and in file names. No two tools of a project share one, in any case of
 * letters.
 */
export interface GeneratedNames {
  /** `executeSql` */
  readonly camel: string;
  /** `ExecuteSql` */
  readonly pascal: string;
  /** `execute-sql` */
  readonly kebab: string;
}

/**
 * The generated names of all tools of a project. Where tools would share one (`execute_sql` and `executeSql`), each of
 * them carries four hex digits of a digest of its own name: no name depends on the order of the tools, and a handler
 * that was written while there was one such tool is never taken for the handler of another.
 */
export function generatedNames(toolNames: readonly string[]): ReadonlyMap<string, GeneratedNames> {
  const all = toolNames.map((name) => {
    const words = wordsOf(name);
    return { name, words, kebab: words.join("-") };
  });
  const byKebab = groupBy(all, ({ kebab }) => kebab);
  return new Map(
    all.map(({ name, words, kebab }) => {
      const isShared = (byKebab.get(kebab)?.length ?? 0) > 1;
      return [name, namesOf(isShared ? [...words, digits(name)] : words)];
    }),
  );
}

/**
 * Matches a text that may hold one of these tool names, or another name for which generated code would use the same
 * names; it may match others. Takes names in their one spelling: an escape may hide any letter of it.
 */
export function mayHoldName(toolNames: readonly string[]): RegExp {
  const spelt = toolNames.map((name) => {
    const words = wordsOf(name);
    const [first = ""] = words;
    const letters = deviceName.test(first) ? first : words.join("");
    // A name that somebody types may hold anything.
    return Array.from(letters, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join("[_-]*");
  });
  return new RegExp(spelt.join("|"), "iu");
}

/**
 * Takes the first free name: one of the candidates in order, or else the last of them with a number. Every emitter takes
 * the names of one scope from one set.
 */
export function takeName(
  taken: Set<string>,
  candidates: readonly [string, ...(readonly string[])],
  separator: string = "",
): string {
  const last = candidates.at(-1) ?? candidates[0];
  let name = candidates.find((candidate) => !taken.has(candidate));
  for (let number = 2; name === undefined; number += 1) {
    const numbered = `${last}${separator}${number}`;
    if (!taken.has(numbered)) name = numbered;
  }
  taken.add(name);
  return name;
}

/** A name of the author's own as the name of a type: `list-item` becomes `ListItem`. */
export function typeName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const ascii = joined.replaceAll(/[^A-Za-z0-9]/gu, "");
  if (ascii === "") return "Definition";
  return /^[0-9]/u.test(ascii) ? `Definition${ascii}` : ascii;
}

function wordsOf(name: string): readonly string[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
    .toLowerCase()
    .split(/[_-]+/u)
    .filter((word) => word !== "");
  // Windows opens a device, whatever the extension, where a file has one of these names.
  return words.length === 1 && deviceName.test(words[0] ?? "") ? [...words, "tool"] : words;
}

const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/u;

function namesOf(words: readonly string[]): GeneratedNames {
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return { camel: pascal.charAt(0).toLowerCase() + pascal.slice(1), pascal, kebab: words.join("-") };
}

function digits(name: string): string {
  return sha256(name).slice(0, 4);
}
