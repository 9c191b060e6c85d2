import { createHash } from "node:crypto";
import { isReservedName } from "../../../../compiler/src/model/reserved-names.js";

const VALID_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const LONGEST = 64;
// Device names, which Windows refuses as file names, regardless of what follows the first dot.
const RESERVED_FILE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns the nearest valid tool name. */
export function validToolName(name: string): string {
  if (VALID_NAME.test(name) && !isReservedName(name)) return name;
  const cleaned = name
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/^[_-]+|[_-]+$/g, "");
  const started = cleaned === "" ? `tool_${digestOf(name)}` : /^[A-Za-z]/.test(cleaned) ? cleaned : `tool_${cleaned}`;
  const free = isReservedName(started) ? `imported_${started}` : started;
  return free.length <= LONGEST ? free : `${free.slice(0, LONGEST - 9)}_${digestOf(name)}`;
}

/** Appends the first number that makes the name unique. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const candidate = name.slice(0, LONGEST - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Maps source names to spec names. Valid names stay unchanged and take precedence over changed ones. */
export function specNames(names: readonly (string | undefined)[]): ReadonlyMap<string, string> {
  const inSource = new Set(names.filter((name) => name !== undefined));
  const taken = new Set([...inSource].filter((name) => validToolName(name) === name));
  return new Map(
    [...inSource].map((name): [string, string] => {
      const valid = taken.has(name) ? name : freeName(validToolName(name), (candidate) => taken.has(candidate));
      taken.add(valid);
      return [name, valid];
    }),
  );
}

/** Returns a spec's file name. Calls `isTaken` with lower case, since some file systems ignore case. */
export function specFileName(name: string, isTaken: (lowerCase: string) => boolean): string {
  const stem = RESERVED_FILE.test(name) ? `${name}_` : name;
  return `${freeName(stem, (candidate) => isTaken(candidate.toLowerCase()))}.tool.yaml`;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
