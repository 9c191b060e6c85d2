import { createHash } from "node:crypto";
import { dropUndefined } from "@hasp/base/json";
import type { readImports } from "@hasp/builtin/modules";
import type { ProjectReader } from "../fs/read-inside.js";

/** The facts about one of the user's modules that an approval needs. */
interface ModuleText {
  /** sha256 of the text, with `\n` as its only line break. */
  readonly digest: string;
  /** The specifiers that the text may import. */
  readonly imports: readonly string[];
  /** The specifiers that certainly belong to an import, not to another string. */
  readonly certain: readonly string[];
  /** Those of them that may load code; an address may name a file that is only read. */
  readonly loaded: readonly string[];
  /** The specifiers that `require` loads, as code whatever the ending of the file. */
  readonly required: readonly string[];
  /** The obstacle to covering this module by an approval, such as `its line 3 imports a computed path`. */
  readonly obstacle?: string;
  /** True if it may read or run files by their paths. */
  readonly readsFiles?: true;
  /** True if it uses `isolate` of `@hasp/handlers/isolation`. */
  readonly isolates?: true;
  readonly marksRetryable?: true;
}

/** A specifier that a module may import. */
export interface ModuleImport {
  readonly path: string;
  readonly specifier: string;
}

/** A module at its own path from the root, without links. */
export interface FoundModule extends ModuleText {
  readonly path: string;
}

/**
 * The text before the specifier of a type-only statement, which never runs. Only at the start of a line: so no comment or
 * string of that line can hold its beginning and not its specifier.
 */
const TYPE_IMPORT =
  /^[ \t]*(?:import|export)[ \t]+type[ \t]+(?:[\w$]+|\{[^{}"'`;/]*\}|\*[ \t]+as[ \t]+[\w$]+)\s+from\s*(?=["'])/gmu;

/** A word before a specifier, and the blanks and comments after it. The bounds keep the search linear. */
const IMPORT_START =
  /\b(?:from|import|require|resolve|URL)(?=((?:[\s(]{0,1000}(?:\/\*(?:[^*]|\*(?!\/)){0,1000}\*\/|\/\/[^\n]{0,1000}\n)){0,9}[\s(]{0,1000}))/gu;

/** The start of a blank or comment that goes beyond the bounds of {@link IMPORT_START}. */
const MORE_BLANK = /^(?:[\s(]|\/[*/])/u;

/** Possible imports that only a parser can follow: all but `import("…")` and `require("…")` with a plain literal. */
const PERHAPS_COMPUTED =
  /\b(?:import\s*(?:[/.]|<!--|-->)|(?:import\s*(?=\()|require\b)(?!\s*\(\s*(["'])[^"'\\\n]*\1\s*\))|createRequire\b|getBuiltinModule\b|__(?:dir|file)name\b)|@jsxImportSource\b|\\u/u;

/** The words of calls that may run the file at an address. */
const RUNS_ADDRESSES = /\b(?:Worker|exec\w*|fork|register|spawn\w*)\b/u;

/** The modules, and globals of other runtimes, that read or run files by their paths. */
const READS_FILES = /\b(?:fs(?:\/promises)?|child_process|worker_threads|cluster)["'`]|\b(?:Bun|Deno)\b/u;

const LONGEST_SPECIFIER = 1000;

/** The start of a text that is a specifier anywhere, such as in a variable or as a worker's path. */
const LIKE_SPECIFIER = /^\.{1,2}(?:\/|$)|^#[^\s#]/u;

/** The start of such a text, perhaps with an escape that a parser undoes. */
const PERHAPS_SPECIFIER = /^(?:#|\.{0,2}(?:\/|\\[xu\d./#\n]))/u;

/**
 * Reads a module of the project; `undefined` if there is no such file. Every string that looks like a specifier counts:
 * one too many only covers a file too many. Parses only a text whose imports may be computed or were not all found.
 */
export async function readModuleText(reader: ProjectReader, path: string): Promise<ModuleText | undefined> {
  const source = reader.read(path, "shared");
  if (source === undefined || source.unreadable === "it is a folder") return undefined;
  const nothing = { imports: [], certain: [], loaded: [], required: [] };
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
  const scanned = scanImports(text, /\.(?:[jt]sx|[cm]?js)$/u.test(path) && /<\/|\/>/u.test(text));
  const isPlain =
    scanned.isWhole &&
    !scanned.certain.some((name) => /^(?:node:)?module$/u.test(name)) &&
    !PERHAPS_COMPUTED.test(text);
  const parsed = isPlain ? undefined : await parseImports(path, text);
  const computed =
    parsed?.computedAt === undefined ? undefined : `its line ${parsed.computedAt} imports a computed path`;
  const obstacle = isPlain || parsed !== undefined ? computed : "it is nested too deeply";
  // In a string, a word may only seem to begin an import.
  const code = [...(parsed?.specifiers.keys() ?? scanned.certain)];
  const certain = [...new Set([...code, ...[...(parsed?.addresses.keys() ?? [])].flatMap(spellAddress)])].toSorted();
  const literals = (parsed?.literals ?? []).filter((value) => LIKE_SPECIFIER.test(value));
  const addresses = scanned.addresses.flatMap(spellAddress);
  const sure = [...certain, ...scanned.certain];
  const inDevelopment = sure.map((each) => each.replace(/\/jsx-runtime$/u, "/jsx-dev-runtime"));
  const imports = [...new Set([...sure, ...inDevelopment, ...addresses, ...scanned.others, ...literals])]
    .filter((value) => value !== "")
    .toSorted();
  return {
    digest,
    imports,
    certain,
    loaded: RUNS_ADDRESSES.test(text) ? certain : code,
    required: parsed?.required ?? scanned.required,
    ...dropUndefined({ obstacle }),
    ...(READS_FILES.test(text) ? { readsFiles: true } : {}),
    ...(imports.includes("@hasp/handlers/isolation") && /\bisolate\b/u.test(text) ? { isolates: true } : {}),
    ...(/\bretryable["'\]]{0,2}\s{0,9}[:=,}]/u.test(text) ? { marksRetryable: true } : {}),
  };
}

/** Returns an address as written, and relative to the module: it may lack the `./`. */
function spellAddress(address: string): readonly string[] {
  return [address, `./${address.trim()}`];
}

/** Finds the place in a module where it certainly imports a specifier; the start of a module that cannot be parsed. */
export async function locateImport(
  reader: ProjectReader,
  { path, specifier }: ModuleImport,
): Promise<string | undefined> {
  const parsed = await parseImports(path, reader.read(path, "shared")?.text ?? "");
  if (parsed === undefined || parsed.computedAt === 1) return "1:1";
  const address = [...parsed.addresses].find(([each]) => spellAddress(each).includes(specifier));
  // An address without a folder is not a package's name.
  const isPath = /^(?:[./]|file:|[a-z]:[\\/])/iu.test(specifier);
  return parsed.specifiers.get(specifier) ?? (isPath ? address?.[1] : undefined);
}

/** Parses a module; `undefined` if it is nested too deeply. */
async function parseImports(path: string, text: string): Promise<ReturnType<typeof readImports> | undefined> {
  const { readImports: read } = await import("@hasp/builtin/modules");
  try {
    return read(path, text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The specifiers that a search without parsing finds. */
interface ScannedImports {
  /** The values of literals after a word that begins an import. */
  readonly certain: readonly string[];
  /** Those of them after the word `require`. */
  readonly required: readonly string[];
  /** The values of literals after the word `URL`. */
  readonly addresses: readonly string[];
  /** Other values that may be specifiers. */
  readonly others: readonly string[];
  /** False if a bound of the search was exceeded, so that an import may be missing. */
  readonly isWhole: boolean;
}

/** Finds specifiers in the whole text, also in its strings and comments: only a parser can tell them from code. */
function scanImports(text: string, hasElements: boolean): ScannedImports {
  const starts = new Map<number, string>();
  let isWhole = true;
  for (const { index, 0: word, 1: blank = "" } of text.matchAll(IMPORT_START)) {
    const end = index + word.length + blank.length;
    // A text with `import.meta.resolve` or `require.resolve` is parsed.
    const isOther = word === "resolve" || (word === "from" && text[index - 1] === ".");
    if (/["'`]/u.test(text.charAt(end))) starts.set(end, isOther ? "" : word);
    else if (MORE_BLANK.test(text.slice(end, end + 2))) isWhole = false;
  }
  const types = new Set(Array.from(text.matchAll(TYPE_IMPORT), ({ index, 0: { length } }) => index + length));
  const certain: string[] = [];
  const required: string[] = [];
  const addresses: string[] = [];
  const others: string[] = [];
  for (const { start, value } of literalsIn(text)) {
    if (types.has(start)) continue;
    const word = starts.get(start);
    if (value?.includes("\\") !== false) {
      if (word !== undefined || PERHAPS_SPECIFIER.test(text.slice(start + 1, start + 4))) isWhole = false;
    } else if (word === "URL") addresses.push(value);
    else if (word !== undefined && word !== "") {
      certain.push(value);
      if (word === "require") required.push(value);
    } else if (word === "" || LIKE_SPECIFIER.test(value)) others.push(value);
  }
  if (hasElements) certain.push("jsx:/jsx-runtime");
  return { certain, required, addresses, others, isWhole };
}

/**
 * Yields the values of all literals, `undefined` for one that is too long. Tries each quote: without parsing, any quote
 * may begin a literal.
 */
function* literalsIn(text: string): Iterable<{ readonly start: number; readonly value: string | undefined }> {
  for (const { index: start, 0: quote } of text.matchAll(/["'`]/gu)) {
    for (let end = start + 1; end < text.length; end += 1) {
      const character = text[end];
      if (end - start > LONGEST_SPECIFIER) {
        yield { start, value: undefined };
        break;
      }
      if (character === "\\") end += 1;
      else if (character === quote) {
        yield { start, value: text.slice(start + 1, end) };
        break;
      } else if (character === "\n" && quote !== "`") break;
    }
  }
}

/** Lists the texts of a module that may be paths of files or folders. */
export function listFileNames(text: string): readonly string[] {
  const values = Array.from(literalsIn(text), ({ value = "" }) => value);
  return [...new Set(values)].filter((value) => /^(?=.*\w)[\w@.-][\w@ ./-]*$/u.test(value));
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
