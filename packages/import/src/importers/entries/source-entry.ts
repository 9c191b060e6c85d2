import type { JsonValue } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "@hasp/compiler/model";
import type { Role } from "../translation/definition-stock.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import type { SchemaDialect } from "../translation/schema-dialect.js";
import { withObjectRoot } from "../translation/object-type.js";

export interface SourceEntry {
  readonly name: string;
  readonly label: string;
  /** Further words that select it, such as `tag:orders`. */
  readonly words?: readonly string[];
  readonly pointer: string;
  readonly value: JsonValue;
  readonly document?: LoadedDocument;
}

export interface EntryReader {
  readonly name: string;
  readonly note: MakeImportDiagnostic;
  locate(pointer: string): Location;
  /**
   * Translates a schema for a spec. If impossible, returns `undefined` and reports an error for an input, a warning for
   * an output, which is optional.
   */
  translate(schema: JsonValue, place: SchemaLocation): JsonValue | undefined;
}

interface SchemaLocation {
  readonly role: Role;
  /** Pointer from the entry, or from the root of `document` if set. */
  readonly pointer: string;
  readonly document?: LoadedDocument;
  /** Its schema dialect, if not that of the whole source. */
  readonly dialect?: SchemaDialect;
}

export function translateInput(
  schema: JsonValue | undefined,
  pointer: string,
  { name, note, locate, translate }: EntryReader,
): JsonValue | undefined {
  if (schema === undefined) {
    note("no-schema", locate(""), { tool: name, keyword: pointer.slice(1) });
    return undefined;
  }
  const input = translate(schema, { role: "input", pointer });
  return input === undefined ? undefined : withObjectRoot(input, { tool: name, note, locate: () => locate(pointer) });
}

export function translateOutput(
  schema: JsonValue | undefined,
  pointer: string,
  { translate }: EntryReader,
): JsonValue | undefined {
  return schema === undefined || schema === null ? undefined : translate(schema, { role: "output", pointer });
}
