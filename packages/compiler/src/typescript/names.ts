import { capitalize } from "@hasp/base/diagnostics";
import { sha256, groupBy } from "@hasp/base/json";

/** Names of a tool in generated code and file names, unique in a project regardless of case. */
export interface GeneratedNames {
  readonly camel: string;
  readonly pascal: string;
  readonly kebab: string;
}

/** Generates the names of all tools. Those that would share one get digits of their digests, whatever their order. */
export function chooseGeneratedNames(toolNames: readonly string[]): ReadonlyMap<string, GeneratedNames> {
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

/** Creates a pattern for texts that may hold one of these names or its generated form. Escapes can hide a name. */
export function mayHoldName(toolNames: readonly string[]): RegExp {
  const spelt = toolNames.map((name) => {
    const words = wordsOf(name);
    const [first = ""] = words;
    const letters = deviceName.test(first) ? first : words.join("");
    // Users may type any character.
    return Array.from(letters, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join("[_-]*");
  });
  return new RegExp(spelt.join("|"), "iu");
}

/** Takes the first free candidate, or numbers the last. Emitters share one set per scope. */
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

/** Turns a name into a type name: `list-item` becomes `ListItem`. */
export function typeName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => capitalize(word)).join("");
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
  // Windows reserves these file names for devices, whatever the extension.
  return words.length === 1 && deviceName.test(words[0] ?? "") ? [...words, "tool"] : words;
}

export const deviceName: RegExp = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/u;

function namesOf(words: readonly string[]): GeneratedNames {
  const pascal = words.map((word) => capitalize(word)).join("");
  return { camel: pascal.charAt(0).toLowerCase() + pascal.slice(1), pascal, kebab: words.join("-") };
}

function digits(name: string): string {
  return sha256(name).slice(0, 4);
}
