import { createHash } from "node:crypto";
import { isReservedName } from "@hasp/compiler/model";

const VALID_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const LONGEST = 64;
// Device names, which Windows refuses as file names, regardless of what follows the first dot.
const RESERVED_FILE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export function createToolName(name: string): string {
  if (VALID_NAME.test(name) && !isReservedName(name)) return name;
  const cleaned = cleanName(name);
  const started = cleaned === "" ? `tool_${digestOf(name)}` : /^[A-Za-z]/.test(cleaned) ? cleaned : `tool_${cleaned}`;
  const free = isReservedName(started) ? `imported_${started}` : started;
  return free.length <= LONGEST ? free : `${free.slice(0, LONGEST - 9)}_${digestOf(name)}`;
}

export function findFreeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const candidate = name.slice(0, LONGEST - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Maps source names to spec names. Valid names stay unchanged and take precedence over changed ones. */
export function createSpecNames(names: readonly (string | undefined)[]): ReadonlyMap<string, string> {
  const inSource = new Set(names.filter((name) => name !== undefined));
  const taken = new Set([...inSource].filter((name) => createToolName(name) === name));
  return new Map(
    [...inSource].map((name): [string, string] => {
      const valid = taken.has(name) ? name : findFreeName(createToolName(name), (candidate) => taken.has(candidate));
      taken.add(valid);
      return [name, valid];
    }),
  );
}

/** Returns a spec's file name. Calls `isTaken` with lower case, since some file systems ignore case. */
export function createSpecFileName(name: string, isTaken: (lowerCase: string) => boolean): string {
  const stem = RESERVED_FILE.test(name) ? `${name}_` : name;
  return `${findFreeName(stem, (candidate) => isTaken(candidate.toLowerCase()))}.tool.yaml`;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Removes accents, replaces every `refused` match by the separator, and trims separators. */
export function cleanName(name: string, refused: RegExp = /[^A-Za-z0-9_-]+/gu, separator = "_"): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(refused, separator)
    .replaceAll(/^[_-]+|(?<![_-])[_-]+$/gu, "");
}

export const CONNECTION_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/u;

/** Shorter than the limit, to leave room for a number. */
const LONGEST_CONNECTION = 60;

/** Converts words to a connection name: `Shop API` becomes `shop-api`; returns `fallback` if nothing is left. */
export function createConnectionName(words: string, fallback: string): string {
  const name = cleanName(words, /[^A-Za-z0-9_]+/gu, "-").toLowerCase();
  if (name === "") return fallback;
  return (/^[a-z]/u.test(name) ? name : `${fallback}-${name}`).slice(0, LONGEST_CONNECTION);
}

/** Names that `input.…` references can hold: no dot, no bracket, no character that a provider refuses. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/u;

/**
 * Returns a parameter's or body's name in the input: the nearest one that handlers and providers can write. On a clash,
 * adds the location, then a number.
 */
export function findInputName(name: string, place: string, isTaken: (candidate: string) => boolean): string {
  const plain = plainName(name);
  if (!isTaken(plain)) return plain;
  const placed = plainName(`${place}_${plain}`);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `_${number}`;
    const candidate = placed.slice(0, LONGEST - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

function plainName(name: string): string {
  if (PLAIN.test(name) && name !== "__proto__") return name;
  const cleaned = cleanName(name);
  const started = /^[A-Za-z]/u.test(cleaned) ? cleaned : `value_${cleaned}`.replace(/_$/u, "");
  return started.slice(0, LONGEST);
}

/** Returns an environment variable's name: `shop-api` and `bearerAuth` become `SHOP_API_BEARER_AUTH`. */
export function createVariableName(...words: readonly string[]): string {
  const name = words
    .map((word) =>
      word
        .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
        .normalize("NFKD")
        .replaceAll(/[^A-Za-z0-9]+/gu, "_")
        .replaceAll(/^_+|(?<!_)_+$/gu, ""),
    )
    .filter((word) => word !== "")
    .join("_")
    .toUpperCase();
  return /^[A-Z]/u.test(name) ? name : `HASP_${name}`;
}
