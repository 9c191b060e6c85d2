import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import type { Role } from "../definitions/definition-stock.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import type { SchemaDialect } from "../translation/schema-dialect.js";
import { withObjectRoot } from "../translation/input-root.js";

/** One tool of a source before translation. */
export interface SourceEntry {
  /** The unique name for its spec. */
  readonly name: string;
  /** Other names by which it is known. */
  readonly label: string;
  /** Further words by which the user may select it, such as `tag:orders`. */
  readonly words?: readonly string[];
  readonly pointer: string;
  readonly value: JsonValue;
  /** Its document, if not the source's own. */
  readonly document?: LoadedDocument;
}

/** The tools for reading one entry. */
export interface EntryReader {
  readonly name: string;
  readonly note: MakeImportDiagnostic;
  /** Locates a pointer into the entry. */
  locate(pointer: string): Location;
  /**
   * Translates a schema of the source for a spec. If that is impossible, returns `undefined` and reports it: as an
   * error for an input, as a warning for an output, which is optional.
   */
  translate(schema: JsonValue, place: SchemaLocation): JsonValue | undefined;
}

/** The location of a schema in a source. */
interface SchemaLocation {
  readonly role: Role;
  /** Pointer from the entry, or from the root of `document` if set. */
  readonly pointer: string;
  readonly document?: LoadedDocument;
  /** Its schema dialect, if not that of the whole source. */
  readonly dialect?: SchemaDialect;
}

/** Translates the input of a tool with {@link EntryReader.translate} and adds `type: object`. */
export function translateInput(
  schema: JsonValue,
  pointer: string,
  { name, note, locate, translate }: EntryReader,
): JsonValue | undefined {
  const input = translate(schema, { role: "input", pointer });
  return input === undefined ? undefined : withObjectRoot(input, { tool: name, note, locate: () => locate(pointer) });
}

/** Returns the keys of an entry that an importer does not read. */
export function restOf(value: JsonObject, read: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !read.has(key)));
}
