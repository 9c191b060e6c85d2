import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "@hasp/compiler/model";
import { findOrAdd, isObject, escapeToken, parsePointer, writeReference } from "@hasp/base/json";
import { importDiagnostics } from "../source/diagnostics.js";
import { followReference, type SourceFaults, withoutDropped } from "../source/documents.js";
import type { SchemaDialect } from "./schema-dialect.js";
import { translateSchema } from "./translate-schema.js";
import { mapSubschemas } from "@hasp/schema/vocabulary";

export type Role = "input" | "output";

export interface Definition {
  readonly role: Role;
  readonly document: LoadedDocument;
  readonly pointer: string;
  /** Stands for a reference to it until all definitions are named. */
  readonly placeholder: string;
  readonly authored: string;
}

/** Returns the properties of a schema that do not exist in a role; `undefined` for too many parts. */
export type FindHidden = (schema: JsonObject, document: LoadedDocument, role: Role) => ReadonlySet<string> | undefined;

/** Returns what else holds for each branch of a union: its discriminator's values. */
export type FindTags = (
  schema: JsonObject,
  document: LoadedDocument,
  role: Role,
) => readonly (JsonObject | undefined)[];

export interface StockSource {
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  readonly dialect: SchemaDialect;
  readonly faults: SourceFaults;
  readonly hidden?: FindHidden;
  readonly tags?: FindTags;
}

interface Binder {
  bind(reference: string, at: string): string | undefined;
  readonly needs: ReadonlySet<Definition>;
}

/** The definitions of a source: collected while reading its tools, then translated and named together. */
interface DefinitionStock {
  binder(
    document: LoadedDocument,
    base: string,
    role: Role,
    about: string,
    report: (diagnostic: Diagnostic) => void,
  ): Binder;
  finish(): Found<FinishedStock>;
}

export interface FinishedStock {
  definitionsFor(needs: Iterable<Definition>): JsonObject;
  locate(name: string, pointer: string): Location | undefined;
  /** Finds a need, direct or indirect, that could not be imported. */
  missing(needs: Iterable<Definition>): Definition | undefined;
  /** Replaces placeholders with final references; `file` is the shared file's path relative to the schema's. */
  resolvePlaceholders(schema: JsonValue, file: string): JsonValue;
}

/** The two parts of a reference: a definition, and a path inside it. */
const STOCK = /^((?:\/components\/schemas|\/definitions|\/\$defs)\/[^/]+)(.*)/su;

export function createDefinitionStock(source: StockSource): DefinitionStock {
  const byKey = new Map<string, Definition>();

  function definitionAt(document: LoadedDocument, pointer: string, role: Role): Definition {
    const key = `${role} ${document.uri}#${pointer}`;
    return findOrAdd(byKey, key, () => ({
      role,
      document,
      pointer,
      placeholder: `hasp-import:${byKey.size}#`,
      authored: authoredName(document.uri, pointer),
    }));
  }

  const binder: DefinitionStock["binder"] = (document, base, role, about, report) => {
    const needs = new Set<Definition>();
    return {
      needs,
      bind(reference, at) {
        const followed = followReference(reference, document, source.documents);
        if ("problem" in followed) {
          report(
            importDiagnostics(
              "broken-reference",
              document.locate(base + at),
              { tool: about, reference, problem: followed.problem },
              { tool: about },
            ),
          );
          return undefined;
        }
        const [, stock = followed.pointer, rest = ""] = STOCK.exec(followed.pointer) ?? [];
        const definition = definitionAt(followed.document, stock, role);
        needs.add(definition);
        return definition.placeholder + writeReference(rest).slice(1);
      },
    };
  };

  return {
    binder,
    finish() {
      const diagnostics: Diagnostic[] = [];
      const values = new Map<Definition, JsonValue>();
      const needsOf = new Map<Definition, ReadonlySet<Definition>>();
      const differByRole = new Set<Definition>();
      // The map grows during the walk: a definition may be the first to reference another.
      for (const definition of byKey.values()) {
        const { document, pointer, role, authored } = definition;
        const found: Diagnostic[] = [];
        const own = binder(document, pointer, role, authored, (diagnostic) => found.push(diagnostic));
        const { hidden, tags } = source;
        const translation = translateSchema(schemaAt(definition), {
          tool: authored,
          role,
          dialect: source.dialect,
          locate: (inner) => document.locate(pointer + inner),
          reference: own.bind,
          isWhole: false,
          isShared: true,
          tags: tags && ((schema) => tags(schema, document, role)),
          hidden:
            hidden &&
            ((schema) => {
              const inRole = { input: hidden(schema, document, "input"), output: hidden(schema, document, "output") };
              if (Object.values(inRole).some((names) => names !== undefined && names.size > 0)) {
                differByRole.add(definition);
              }
              return inRole[role];
            }),
        });
        found.push(...translation.diagnostics);
        needsOf.set(definition, own.needs);
        const unread = withoutDropped(source.faults.within(document, pointer), found);
        found.push(...unread);
        if (unread.length > 0) values.delete(definition);
        else if (isObject(translation.value) && translation.value["$schema"] !== undefined) {
          found.push(importDiagnostics("older-definition", document.locate(pointer), { definition: authored }));
        } else if (translation.value !== undefined) values.set(definition, translation.value);
        diagnostics.push(...(role === "input" ? found : toWarnings(found)));
      }
      const broken = findDependents(
        [...byKey.values()].filter((definition) => !values.has(definition)),
        needsOf,
      );
      for (const definition of broken) values.delete(definition);
      const names = nameDefinitions(values.keys(), needsOf, differByRole);
      const byPlaceholder = new Map([...names].map(([definition, name]) => [definition.placeholder, name]));
      const resolvePlaceholders = (schema: JsonValue, file: string): JsonValue =>
        mapReferences(schema, (reference) => {
          const end = reference.indexOf("#") + 1;
          const name = byPlaceholder.get(reference.slice(0, end));
          return name === undefined
            ? reference
            : `${file}${writeReference(`/$defs/${escapeToken(name)}`)}${reference.slice(end)}`;
        });
      return {
        value: {
          definitionsFor(needs) {
            const reached = new Set(needs);
            for (const definition of reached) for (const need of needsOf.get(definition) ?? []) reached.add(need);
            const definitions = new Map<string, JsonValue>();
            for (const [definition, value] of values) {
              const name = names.get(definition);
              if (name !== undefined && reached.has(definition) && !definitions.has(name)) {
                definitions.set(name, resolvePlaceholders(value, ""));
              }
            }
            return Object.fromEntries(definitions);
          },
          locate(name, pointer) {
            const [definition] = [...names].find(([, other]) => other === name) ?? [];
            return definition?.document.locate(definition.pointer + pointer);
          },
          missing: (needs) => [...needs].find((definition) => broken.has(definition)),
          resolvePlaceholders,
        },
        diagnostics: withoutRepeats(diagnostics),
      };
    },
  };

  function schemaAt({ document, pointer }: Definition): JsonValue {
    const followed = followReference(writeReference(pointer), document, source.documents);
    if ("problem" in followed) throw new Error(`A definition has disappeared: ${document.uri}#${pointer}`);
    return followed.value;
  }
}

export function toWarnings(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === "error" ? { ...diagnostic, severity: "warning" } : diagnostic,
  );
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, location, message }) => {
    const key = `${code} ${location?.uri}#${location?.pointer} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the last pointer segment that is not a JSON Schema keyword; for a whole file, its name. */
function authoredName(uri: string, pointer: string): string {
  const tokens = parsePointer(pointer);
  const word = tokens.findLast(
    (token) => !/^\d+$|^(?:schema|items|content|properties|allOf|anyOf|oneOf)$/u.test(token),
  );
  return word ?? uri.slice(uri.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.[^.]*$/u, "");
}

function findDependents(
  definitions: readonly Definition[],
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
): ReadonlySet<Definition> {
  const users = new Map<Definition, Definition[]>();
  for (const [user, needs] of needsOf) {
    for (const need of needs) findOrAdd(users, need, (): Definition[] => []).push(user);
  }
  const found = new Set(definitions);
  for (const definition of found) for (const user of users.get(definition) ?? []) found.add(user);
  return found;
}

function mapReferences(schema: JsonValue, replace: (reference: string) => string): JsonValue {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, operand]): [string, JsonValue] =>
      keyword === "$ref" && typeof operand === "string"
        ? [keyword, replace(operand)]
        : [
            keyword,
            mapSubschemas(keyword, operand, (inner) => mapReferences(inner as JsonValue, replace)) as JsonValue,
          ],
    ),
  );
}

/**
 * Names definitions after the author's names, with numbers for duplicates. A schema whose output form differs is named
 * `…Result` even without an input, so that names never depend on what else is imported.
 */
function nameDefinitions(
  definitions: Iterable<Definition>,
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
  differByRole: ReadonlySet<Definition>,
): ReadonlyMap<Definition, string> {
  const different = findDependents([...differByRole], needsOf);
  const names = new Map<Definition, string>();
  const byMeaning = new Map<string, string>();
  const taken = new Set<string>();
  for (const definition of definitions) {
    const isResult = definition.role === "output" && different.has(definition);
    const meaning = `${isResult ? "result" : "schema"} ${definition.document.uri}#${definition.pointer}`;
    const wanted = isResult ? `${definition.authored}Result` : definition.authored;
    const name = findOrAdd(byMeaning, meaning, () => freeOf(wanted, taken));
    taken.add(name);
    names.set(definition, name);
  }
  return names;
}

function freeOf(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
