import { createHash } from "node:crypto";
import type { ProjectReader } from "../fs/read-inside.js";

/** The facts about one of the user's modules that an approval needs. */
interface ModuleText {
  /** sha256 of the text, with `\n` as its only line break. */
  readonly digest: string;
  /** The relative specifiers that the text may import. */
  readonly imports: readonly string[];
  /** Its other possible specifiers: packages, and mapped names. */
  readonly names: readonly string[];
  /** The specifiers that certainly belong to an import, not to another string. */
  readonly certain: readonly string[];
  /** The obstacle to covering this module by an approval, such as `its line 3 imports a computed path`. */
  readonly obstacle?: string;
  /** True if it uses `isolate` of `@hasp/handlers/isolation`. */
  readonly isolates?: true;
  readonly marksRetryable?: true;
}

/** A module at its own path from the root, without links. */
export interface FoundModule extends ModuleText {
  readonly path: string;
}

/** Type-only statements, which never run. A quote, a comment or a semicolon inside ends the match. */
const TYPE_IMPORT =
  /\b(?:import|export)[ \t]+type[ \t]+(?:[\w$]+|\{[^{}"'`;/]*\}|\*[ \t]+as[ \t]+[\w$]+)\s+from\s*(?:"[^"\n]*"|'[^'\n]*')/gu;

/** The text before the specifier of an import. The bounds keep the search linear. */
const IMPORT_START =
  /\b(?:from|import|require|resolve|URL)(?:[\s(]*(?:\/\*(?:[^*]|\*(?!\/)){0,1000}\*\/|\/\/[^\n]{0,1000}\n)){0,9}[\s(]*(?=["'`])/gu;

const PLAIN_IMPORT = /\b(?:import|require)\s*\(\s*(["'])[^"'\\\n]*\1\s*\)/gu;
/** Possible imports that only a parser can follow. */
const PERHAPS_COMPUTED = /\bimport\s*[(/.]|\brequire\b|\bcreateRequire\b|\\u/u;

const LONGEST_SPECIFIER = 1000;

/**
 * Reads a module of the project; `undefined` if there is no such file. Parses only a text that may compute its imports.
 * Otherwise every string that looks like a specifier counts: one too many only covers a file too many.
 */
export async function readModuleText(reader: ProjectReader, path: string): Promise<ModuleText | undefined> {
  const source = reader.read(path, "shared");
  if (source === undefined || source.unreadable === "it is a folder") return undefined;
  const nothing = { imports: [], names: [], certain: [] };
  if (source.unreadable !== undefined) {
    // WebAssembly and native modules are not text.
    const bytes = reader.readBytes(path);
    return bytes === undefined
      ? { digest: digestOf(source.unreadable), ...nothing, obstacle: source.unreadable }
      : { digest: digestOf(bytes), ...nothing };
  }
  const text = source.text.replaceAll("\r\n", "\n");
  const digest = digestOf(text);
  if (!/\.[cm]?[jt]sx?$/u.test(path)) return { digest, ...nothing };
  const code = text.replaceAll(TYPE_IMPORT, "");
  const isPlain = !PERHAPS_COMPUTED.test(code.replaceAll(PLAIN_IMPORT, ""));
  const parsed = isPlain ? undefined : (await import("@hasp/compiler/edit")).readImports(path, text);
  const obstacle =
    parsed?.computedAt === undefined ? undefined : `its line ${parsed.computedAt} imports a computed path`;
  const specifiers = specifiersIn(code, parsed?.specifiers ?? []);
  return {
    digest,
    ...specifiers,
    ...(obstacle === undefined ? {} : { obstacle }),
    ...(specifiers.names.includes("@hasp/handlers/isolation") && /\bisolate\b/u.test(code) ? { isolates: true } : {}),
    ...(/\bretryable["'\]]{0,2}\s{0,9}[:=,}]/u.test(code) ? { marksRetryable: true } : {}),
  };
}

function specifiersIn(code: string, parsed: readonly string[]): Pick<ModuleText, "imports" | "names" | "certain"> {
  const starts = new Set(Array.from(code.matchAll(IMPORT_START), ({ index, 0: { length } }) => index + length));
  const certain = new Set(parsed);
  const others = new Set<string>();
  for (const { start, value } of literalsIn(code)) {
    if (starts.has(start)) certain.add(value);
    // Such a text is a specifier anywhere, such as in a variable or as a worker's path.
    else if (/^\.{1,2}(?:\/|$)|^#[^\s#]/u.test(value)) others.add(value);
  }
  const all = [...new Set([...certain, ...others])].filter((value) => value !== "").toSorted();
  const isRelative = (value: string): boolean => /^\.{1,2}(?:\/|$)/u.test(value);
  return {
    imports: all.filter(isRelative),
    names: all.filter((value) => !isRelative(value)),
    certain: [...certain].toSorted(),
  };
}

/** Yields the values of all literals. Tries each quote: without parsing, any quote may begin a literal. */
function* literalsIn(code: string): Iterable<{ readonly start: number; readonly value: string }> {
  for (const { index: start, 0: quote } of code.matchAll(/["'`]/gu)) {
    for (let end = start + 1; end < code.length && end - start <= LONGEST_SPECIFIER; end += 1) {
      const character = code[end];
      if (character === "\\") end += 1;
      else if (character === quote) {
        yield { start, value: cooked(code.slice(start + 1, end)) };
        break;
      } else if (character === "\n" && quote !== "`") break;
    }
  }
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|([0-7]{1,3})|([^]))/gu;
const CONTROL: { readonly [letter: string]: string } = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};

function cooked(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replaceAll(
    ESCAPE,
    (_, byte?: string, unit?: string, point?: string, octal?: string, character: string = "") => {
      const hex = byte ?? unit ?? point;
      const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
      if (Number.isNaN(code)) return CONTROL[character] ?? character;
      return code > 0x10_ffff ? "" : String.fromCodePoint(code);
    },
  );
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
