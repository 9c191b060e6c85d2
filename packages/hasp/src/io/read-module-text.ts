import { createHash } from "node:crypto";
import type { ProjectReader } from "./read-inside.js";

/** What an approval must know of one module of the user's. */
export interface ModuleText {
  /** sha256 of the text, however a checkout breaks its lines; of the reason, where it cannot be read. */
  readonly digest: string;
  /** The relative paths that the text may import, as they are written. */
  readonly imports: readonly string[];
}

/** Statements that leave nothing in the program: their types are gone once it runs. */
const TYPE_IMPORT =
  /\b(?:import|export)[ \t]+type[ \t]+(?:[\w$]+|\{[^{}]*\}|\*[ \t]+as[ \t]+[\w$]+)\s+from\s*(?:"[^"\n]*"|'[^'\n]*')/gu;
/**
 * Whatever stands in quotes and looks like a path relative to the module: an import of any kind, a worker, a file that
 * is read.
 */
const RELATIVE_PATH = /["'`](\.{1,2}(?:\/[^"'`\s]*)?)["'`]/gu;

/**
 * Reads a module of the project; `undefined` where there is no such file. Nothing is run or parsed: a path too many
 * covers a file too many, and that only asks for one more look.
 */
export function readModuleText(reader: ProjectReader, path: string): ModuleText | undefined {
  const source = reader.read(path, "shared");
  if (source === undefined || source.unreadable === "it is a folder") return undefined;
  const text = (source.unreadable ?? source.text).replaceAll("\r\n", "\n");
  const paths = [...text.replaceAll(TYPE_IMPORT, "").matchAll(RELATIVE_PATH)].map(([, written = ""]) => written);
  return { digest: createHash("sha256").update(text).digest("hex"), imports: [...new Set(paths)].toSorted() };
}
