import { answerNow } from "./callback.js";

/**
 * The thing that a keyed writer changes. Writers of different resources in one space may run in parallel; keys of
 * different spaces cannot be compared, so their writers exclude each other: one thing may have an id and a number.
 */
export interface Resource {
  readonly space: unknown;
  readonly key: string;
}

/** A key as a spec writes it, such as `path(input.path)`, or a function. Tools that share a function share its space. */
export type ResourceKey<Input> = string | ((input: Input) => string | number | undefined);

/** Longer keys are not compared: their calls run alone. */
const LONGEST_KEY = 4096;

/** The syntax of a key: a member of the input, alone or inside the name of a function of {@link NORMALIZERS}. */
export const RESOURCE_KEY_PATTERN = "^(?:input(?:\\.[A-Za-z_]\\w*)+|(?:path|lower)\\(input(?:\\.[A-Za-z_]\\w*)+\\))$";

const NORMALIZERS: { readonly [name: string]: (text: string) => string } = {
  lower: (text) => foldCase(text).trim(),
  path: lastName,
};

/**
 * Creates the function that finds the resource of a call. It never throws: a key that fails, is absent or is too long
 * gives `undefined`, and the call runs alone. Throws a `TypeError` for a malformed key.
 */
export function createResourceFinder<Input>(key: ResourceKey<Input>): (input: unknown) => Resource | undefined {
  const { space, read, normalize } =
    typeof key === "function" ? { space: key, read: key, normalize: same } : parse(key);
  return (input) => {
    try {
      const value: unknown = answerNow(read(input as Input));
      if (typeof value !== "string" && !Number.isSafeInteger(value)) return undefined;
      const text = String(value);
      if (text.length > LONGEST_KEY) return undefined;
      const normal = normalize(text);
      return normal === "" ? undefined : { space, key: normal };
    } catch {
      return undefined;
    }
  };
}

/** True if two writers surely change different things. */
export function isDifferentResource(one: Resource | undefined, other: Resource | undefined): boolean {
  return one !== undefined && other !== undefined && one.space === other.space && one.key !== other.key;
}

export function isSameResource(one: Resource | undefined, other: Resource | undefined): boolean {
  return one !== undefined && other !== undefined && one.space === other.space && one.key === other.key;
}

interface ParsedKey {
  readonly space: string;
  readonly read: (input: unknown) => unknown;
  readonly normalize: (text: string) => string;
}

function parse(text: string): ParsedKey {
  if (!new RegExp(RESOURCE_KEY_PATTERN, "u").test(text)) throw new TypeError(`\`${text.slice(0, 80)}\` is no key`);
  const [name, member] = text.endsWith(")") ? (text.slice(0, -1).split("(") as [string, string]) : ["", text];
  const path = member.split(".").slice(1);
  // Paths name files wherever they stand; any other member names things in its own way.
  const space = name === "path" ? name : text;
  return { space, read: (input) => path.reduce(readMember, input), normalize: NORMALIZERS[name] ?? same };
}

function readMember(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function same(text: string): string {
  return text;
}

/** Makes texts equal that some file system takes for one name: case, compatible forms, ignored characters. */
function foldCase(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const folded = plain.toUpperCase().toLowerCase().normalize("NFKD");
  // The capital of a letter may be several others: ẞ becomes ß, and only then ss.
  return folded === text ? folded : foldCase(folded);
}

/**
 * Returns the last name in a path, which absolute and relative spellings of one file share. Files of one name in
 * different folders therefore wait for each other. A name that may have other spellings is "".
 */
function lastName(path: string): string {
  const names = path.split(/[/\\]/u).filter((name) => name !== "" && name !== ".");
  const name = foldCase(names.at(-1) ?? "");
  // Short names, streams, drives and escapes of Windows and of addresses; slashes that were another character.
  return /[~:%\0/\\]/u.test(name) ? "" : name.replace(/(?<![. ])[. ]+$/u, "");
}
