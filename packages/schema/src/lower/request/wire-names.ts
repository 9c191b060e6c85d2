import type { Dialect, NameRule } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { dialectOf } from "../../dialects/dialect-of.js";

const DIGEST_LENGTH = 8;

/**
 * Eight hexadecimal digits of a text: FNV-1a over UTF-16 code units, 32 bits. It is no cryptographic digest; it only
 * keeps shortened names apart, and whoever makes names checks for collisions besides.
 */
export function shortDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(DIGEST_LENGTH, "0");
}

interface CompiledRule {
  readonly first: RegExp;
  readonly further: RegExp;
  readonly whole: RegExp;
}

const compiledRules = new WeakMap<NameRule, CompiledRule>();

function compiled(rule: NameRule): CompiledRule {
  let found = compiledRules.get(rule);
  if (found === undefined) {
    found = {
      first: new RegExp(`^${rule.first}`),
      further: new RegExp(`^${rule.further}$`),
      whole: new RegExp(`^${rule.first}${rule.further}{0,${rule.maxLength - 1}}$`),
    };
    compiledRules.set(rule, found);
  }
  return found;
}

/** Whether a name may be sent as it is. */
export function fitsRule(name: string, rule: NameRule): boolean {
  return compiled(rule).whole.test(name);
}

function cleaned(name: string, rule: NameRule): string {
  const { first, further } = compiled(rule);
  const characters = Array.from(name, (character) => (further.test(character) ? character : "_")).join("");
  return first.test(characters) ? characters : `_${characters}`;
}

function cut(name: string, original: string, rule: NameRule): string {
  return `${name.slice(0, rule.maxLength - DIGEST_LENGTH - 1)}_${shortDigest(original)}`;
}

/**
 * The names under which `names` travel: clean by the rule, no two alike, and stable: a name that already fits keeps
 * itself; one that was cleaned keeps its clean form unless another has it; one that is cut ends in a digest.
 */
export function fitNames(names: readonly string[], rule: NameRule): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => fitsRule(name, rule)));
  const clean = new Map<string, string>();
  const uses = new Map<string, number>();
  for (const name of new Set(names)) {
    if (taken.has(name)) continue;
    const candidate = cleaned(name, rule);
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

/** The names that a dialect's list gives to tools: each fits the dialect's rule, and no two are alike. */
export function wireNames(names: readonly string[], dialect: DialectId | Dialect): ReadonlyMap<string, string> {
  return fitNames(names, dialectOf(dialect).toolName);
}
