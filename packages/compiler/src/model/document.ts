import type { JsonValue } from "@hasp/schema";
import type { Location, Position } from "@hasp/base/diagnostics";
import { isList, readOwnMember } from "@hasp/base/json";

export type SourceRole = "spec" | "shared" | "ledger" | "policy" | "config";

/** A file as text. `uri` is its path relative to the project's root, with `/`. */
export interface SourceText {
  readonly uri: string;
  readonly text: string;
  readonly role: SourceRole;
  /** The reason why there is no text, if the file could not be read. */
  readonly unreadable?: string;
  /** The place that makes it unreadable. Default: its beginning. */
  readonly unreadableAt?: Position;
}

export interface LoadedDocument {
  readonly uri: string;
  readonly role: SourceRole;
  readonly text: string;
  readonly value: JsonValue;
  /** The different `$ref`s and `$dynamicRef`s anywhere in the value, even in data. */
  readonly references: readonly string[];
  /** Finds the place of a value or key, or of its nearest enclosing value. Lazy, so that a clean run never pays for it. */
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** The owner of a written file: `hasp` files are rewritten on every build, `user` files are made once. */
export type FileOwner = "hasp" | "user";

/** One file of a build. `path` is relative to the project's root, with `/`. */
export interface OutputFile {
  readonly path: string;
  readonly owner: FileOwner;
  readonly text: string;
  /** The one source of the text. The manifest has digests of such files only: two branches may both change others. */
  readonly madeFrom?: { readonly tool: string } | "configuration";
}

export interface DeclaredTool {
  readonly name: string;
  /** The spec as written, which nothing has checked yet. */
  readonly spec: JsonValue;
  readonly document: LoadedDocument;
}

/** Lists the tools that spec files name. One that is missing later has errors of its own, which suffice. */
export function listDeclaredTools(documents: readonly LoadedDocument[]): readonly DeclaredTool[] {
  const declared: DeclaredTool[] = [];
  for (const document of documents) {
    if (document.role !== "spec") continue;
    for (const spec of listSpecs(document.value)) {
      const name = readOwnMember(spec, "name");
      if (typeof name === "string") declared.push({ name, spec, document });
    }
  }
  return declared;
}

/** Lists the specs in a file that nothing has checked yet: its own, or those under `tools`. */
export function listSpecs(file: JsonValue): readonly JsonValue[] {
  const specs = readOwnMember(file, "tools") ?? file;
  return isList(specs) ? specs : [specs];
}
