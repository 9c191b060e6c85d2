import { createHash } from "node:crypto";
import type { ProjectReader } from "../fs/read-inside.js";

/** What an approval must know of one module of the user's. */
export interface ModuleText {
  /** sha256 of the text, however a checkout breaks its lines; of the reason, where it cannot be read. */
  readonly digest: string;
  /** The relative paths that the text may import, as they are written. */
  readonly imports: readonly string[];
  /** What it may import under a name, as it is written: a package, or what a mapping of the user's says. */
  readonly names: readonly string[];
}

/** Statements that leave nothing in the program: their types are gone once it runs. */
const TYPE_IMPORT =
  /\b(?:import|export)[ \t]+type[ \t]+(?:[\w$]+|\{[^{}]*\}|\*[ \t]+as[ \t]+[\w$]+)\s+from\s*(?:"[^"\n]*"|'[^'\n]*')/gu;
/**
 * Whatever stands in quotes and looks like a path relative to the module: an import of any kind, a worker, a file that
 * is read.
 */
const RELATIVE_PATH = /["'`](\.{1,2}(?:\/[^"'`\s]*)?)["'`]/gu;

/** What begins so is looked up in `package.json`, wherever it stands, as a relative path is. */
const INTERNAL_NAME = /["'`](#[^"'`\s]+)["'`]/gu;
/**
 * Any text may have the form of another name: this one stands where something is imported. The bounds keep a text of
 * many beginnings from being read anew from each.
 */
const IMPORTED_NAME =
  /\b(?:from|import|require|resolve)(?:[\s(]*(?:\/\*(?:[^*]|\*(?!\/)){0,1000}\*\/|\/\/[^\n]{0,1000}\n)){0,9}[\s(]*["'`]([^"'`\s.#][^"'`\s]*)["'`]/gu;

/**
 * Reads a module of the project; `undefined` where there is no such file. Nothing is run or parsed: a path too many
 * covers a file too many, and that only asks for one more look.
 */
export function readModuleText(reader: ProjectReader, path: string): ModuleText | undefined {
  const source = reader.read(path, "shared");
  if (source === undefined || source.unreadable === "it is a folder") return undefined;
  const text = (source.unreadable ?? source.text).replaceAll("\r\n", "\n");
  const code = text.replaceAll(TYPE_IMPORT, "");
  return {
    digest: createHash("sha256").update(text).digest("hex"),
    imports: writtenAs([RELATIVE_PATH], code),
    names: writtenAs([INTERNAL_NAME, IMPORTED_NAME], code),
  };
}

function writtenAs(forms: readonly RegExp[], code: string): readonly string[] {
  const found = forms.flatMap((form) => Array.from(code.matchAll(form), ([, written = ""]) => written));
  return [...new Set(found)].toSorted();
}
