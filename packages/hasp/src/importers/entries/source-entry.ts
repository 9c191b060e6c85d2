import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { Role } from "../definitions/definition-stock.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import type { SchemaDialect } from "../translation/schema-dialect.js";
import { withObjectRoot } from "../translation/input-root.js";

/** One tool of a source before it is read. */
export interface SourceEntry {
  /** The name that its spec should have; no other entry has it. */
  readonly name: string;
  /** By what else it is known. */
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
   * A schema of the source in the words of a spec; `undefined` if it cannot be said exactly, which is then reported: as
   * an error for an input, as a warning for an output, without which a tool can do.
   */
  translate(schema: JsonValue, place: SchemaPlace): JsonValue | undefined;
}

/** Where a schema stands in a source. */
export interface SchemaPlace {
  readonly role: Role;
  /** From the entry, or from the root of `document` where it stands in another. */
  readonly pointer: string;
  readonly document?: LoadedDocument;
  /** Whose words it uses, if not those of the whole source. */
  readonly dialect?: SchemaDialect;
}

/** The input of a tool: what {@link EntryReader.translate} gives, with the word that arguments are an object. */
export function translateInput(
  schema: JsonValue,
  pointer: string,
  { name, note, locate, translate }: EntryReader,
): JsonValue | undefined {
  const input = translate(schema, { role: "input", pointer });
  return input === undefined ? undefined : withObjectRoot(input, { tool: name, note, locate: () => locate(pointer) });
}

/** What stands in an entry beside the keys that an importer reads. */
export function restOf(value: JsonObject, read: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !read.has(key)));
}
