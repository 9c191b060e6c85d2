import { once } from "@hasp/base/json";
import type { Dialect, NameRule } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { findDialect } from "../../dialects/index.js";

const DIGEST_LENGTH = 8;

/** Returns eight hexadecimal digits (32-bit FNV-1a, not cryptographic); callers check for collisions. */
export function computeShortDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(DIGEST_LENGTH, "0");
}

export function createNamePattern({ first, further, maxLength, reserved = [] }: NameRule): RegExp {
  const others = reserved.map((name) => `(?!${name.replaceAll(/\W/g, "\\$&")}$)`).join("");
  return new RegExp(`^${others}${first}${further}{0,${maxLength - 1}}$`);
}

/** Returns a function that gives names their case: snake case if that is the rule or no capital fits. */
function createFold(rule: NameRule): (name: string) => string {
  const takesCapitals = once(() => {
    const further = new RegExp(`^${rule.further}$`);
    return Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ").some((letter) => further.test(letter));
  });
  return (name) => {
    if (rule.case === undefined && (name === name.toLowerCase() || takesCapitals())) return name;
    const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_").toLowerCase();
    return rule.case === undefined ? words : words.replaceAll(/[-.:\s]+/g, "_");
  };
}

function cleaned(name: string, rule: NameRule): string {
  const further = new RegExp(`^${rule.further}$`);
  const characters = Array.from(name, (character) => (further.test(character) ? character : "_")).join("");
  const mayStand = new RegExp(`^${rule.first}`).test(characters) && rule.reserved?.includes(characters) !== true;
  return mayStand ? characters : `_${characters}`;
}

function cut(name: string, original: string, rule: NameRule): string {
  return `${name.slice(0, rule.maxLength - DIGEST_LENGTH - 1)}_${computeShortDigest(original)}`;
}

/** Maps names to unique names that satisfy a rule. Names that must change end in a digest if long or taken. */
export function fitNames(names: readonly string[], rule: NameRule): ReadonlyMap<string, string> {
  const whole = createNamePattern(rule);
  const fold = createFold(rule);
  const taken = new Set(names.filter((name) => whole.test(name) && fold(name) === name));
  const clean = new Map<string, string>();
  const uses = new Map<string, number>();
  for (const name of new Set(names)) {
    if (taken.has(name)) continue;
    const candidate = cleaned(fold(name), rule);
    clean.set(name, candidate);
    uses.set(candidate, (uses.get(candidate) ?? 0) + 1);
  }
  const result = new Map<string, string>();
  for (const name of names) {
    const candidate = clean.get(name);
    if (candidate === undefined) {
      result.set(name, name);
    } else if (!result.has(name)) {
      let wire = candidate;
      if (candidate.length > rule.maxLength || uses.get(candidate) !== 1) wire = cut(candidate, name, rule);
      for (let attempt = 1; taken.has(wire); attempt += 1) wire = cut(candidate, `${name}#${attempt}`, rule);
      taken.add(wire);
      result.set(name, wire);
    }
  }
  return result;
}

/** Maps tool names to unique names that satisfy the dialect's rule. */
export function wireNames(names: readonly string[], dialect: DialectId | Dialect): ReadonlyMap<string, string> {
  return fitNames(names, findDialect(dialect).toolName);
}
