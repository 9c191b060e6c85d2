import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { Role } from "./definitions/definition-stock.js";
import { importDiagnostics, type MakeImportDiagnostic } from "./diagnostics.js";
import { isObject } from "./json-values.js";
import { withObjectRoot } from "./translation/input-root.js";

/** One tool of a source before it is read. */
export interface SourceEntry {
  /** The name that its spec should have; `undefined` if there is none, or another entry has it: then it is refused. */
  readonly name: string | undefined;
  /** What a message calls an entry that has no name. */
  readonly label: string;
  readonly pointer: string;
  readonly value: JsonValue;
  /** Where it stands, if not in the source's own document. */
  readonly document?: LoadedDocument;
}

/** What reads one entry is given. */
export interface EntryReader {
  readonly name: string;
  readonly note: MakeImportDiagnostic;
  /** The place of a pointer into the entry. */
  locate(pointer: string): Location;
  /**
   * A schema of the source in the words of a spec; `undefined` if it cannot be said exactly, which is then reported: as an
   * error for an input, as a warning for an output, without which a tool can do.
   */
  translate(schema: JsonValue, place: SchemaPlace): JsonValue | undefined;
}

/** Where a schema stands in a source. */
export interface SchemaPlace {
  readonly role: Role;
  /** From the entry, or from the root of `document` where it stands in another. */
  readonly pointer: string;
  readonly document?: LoadedDocument;
}

/** The input of a tool: what {@link EntryReader.translate} gives, with the word that arguments are an object. */
export function translateInput(schema: JsonValue, pointer: string, { name, note, locate, translate }: EntryReader): JsonValue | undefined {
  const input = translate(schema, { role: "input", pointer });
  return input === undefined ? undefined : withObjectRoot(input, { tool: name, note, locate: () => locate(pointer) });
}

/** What stands in an entry beside the keys that an importer reads. */
export function restOf(value: JsonObject, read: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !read.has(key)));
}

/** The entries of a list of tools, each named by its own key; the second of one name has none. */
export function namedEntries(list: readonly JsonValue[], pointer: string, note: (diagnostic: Diagnostic) => void, document: LoadedDocument): readonly SourceEntry[] {
  const seen = new Set<string>();
  return list.map((value, index) => {
    const at = `${pointer}/${index}`;
    const name = isObject(value) && typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : undefined;
    if (name === undefined) note(importDiagnostics("not-a-tool", document.locate(at), undefined));
    else if (seen.has(name)) note(importDiagnostics("name-twice", document.locate(`${at}/name`), { name }));
    else {
      seen.add(name);
      return { name, label: name, pointer: at, value };
    }
    return { name: undefined, label: name ?? `entry ${index}`, pointer: at, value };
  });
}
