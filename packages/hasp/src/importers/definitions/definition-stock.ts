import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import { isObject } from "../../model/json-kind.js";
import { escapeToken, pointerTokens } from "../../model/json-pointer.js";
import { importDiagnostics } from "../source/diagnostics.js";
import type { SourceFaults } from "../source/faults.js";
import type { SchemaDialect } from "../translation/schema-dialect.js";
import { translateSchema } from "../translation/translate-schema.js";
import { dependentsOf } from "./dependents.js";
import { followReference } from "./follow-reference.js";
import { mapReferences } from "./map-references.js";
import { nameDefinitions } from "./name-definitions.js";

/** Whether a schema says what is sent or what comes back. */
export type Role = "input" | "output";

/** One schema of the source that several places may refer to, in one role. */
export interface Definition {
  readonly role: Role;
  readonly document: LoadedDocument;
  readonly pointer: string;
  /** Written for a reference to it until all are known and named. */
  readonly placeholder: string;
  /** The author's name for it. */
  readonly authored: string;
}

/** What a stock needs to know of its source. */
export interface StockSource {
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  readonly dialect: SchemaDialect;
  readonly faults: SourceFaults;
  /** Names of properties of a schema that do not exist in a role. */
  hidden?(schema: JsonObject, document: LoadedDocument, role: Role): ReadonlySet<string>;
}

/** Writes the references of one schema, and remembers what it needs. */
export interface Binder {
  /** The reference that a spec writes; `undefined` if it leads nowhere, of which `report` was told. */
  bind(reference: string, place: string): string | undefined;
  readonly needs: ReadonlySet<Definition>;
}

/** The definitions of a source: collected while its tools are read, translated and named once all are known. */
export interface DefinitionStock {
  /** For references that stand in a document at a pointer, in one role. */
  binder(
    document: LoadedDocument,
    base: string,
    role: Role,
    about: string,
    report: (diagnostic: Diagnostic) => void,
  ): Binder;
  finish(): Found<FinishedStock>;
}

/** The definitions that were referred to. */
export interface FinishedStock {
  /** All that is needed, directly or through others, by name and in the words of a spec. */
  definitionsFor(needs: Iterable<Definition>): JsonObject;
  /** Of these needs, one that could not be imported, itself or through another. */
  missing(needs: Iterable<Definition>): Definition | undefined;
  /**
   * A schema with the references that it keeps for good; `file` is the shared file as it stands to the schema's own.
   */
  settle(schema: JsonValue, file: string): JsonValue;
}

/**
 * Where documents keep their definitions; a reference into one of them is a reference to the whole and a way inside.
 */
const STOCK = /^((?:\/components\/schemas|\/definitions|\/\$defs)\/[^/]+)(.*)$/u;

/** An empty stock for one source. */
export function createDefinitionStock(source: StockSource): DefinitionStock {
  const byKey = new Map<string, Definition>();

  function definitionAt(document: LoadedDocument, pointer: string, role: Role): Definition {
    const key = `${role} ${document.uri}#${pointer}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const definition: Definition = {
      role,
      document,
      pointer,
      placeholder: `hasp-import:${byKey.size}#`,
      authored: authoredName(document.uri, pointer),
    };
    byKey.set(key, definition);
    return definition;
  }

  const binder: DefinitionStock["binder"] = (document, base, role, about, report) => {
    const needs = new Set<Definition>();
    return {
      needs,
      bind(reference, place) {
        const followed = followReference(reference, document, source.documents);
        if ("problem" in followed) {
          report(
            importDiagnostics(
              "broken-reference",
              document.locate(base + place),
              { tool: about, reference, problem: followed.problem },
              { tool: about },
            ),
          );
          return undefined;
        }
        const [, stock = followed.pointer, rest = ""] = STOCK.exec(followed.pointer) ?? [];
        const definition = definitionAt(followed.document, stock, role);
        needs.add(definition);
        return definition.placeholder + encodeFragment(rest);
      },
    };
  };

  return {
    binder,
    finish() {
      // All is set aside that cannot be said; what is left is named.
      const diagnostics: Diagnostic[] = [];
      const values = new Map<Definition, JsonValue>();
      const needsOf = new Map<Definition, ReadonlySet<Definition>>();
      const differByRole = new Set<Definition>();
      // The map grows while it is walked: a definition may be the first to name another.
      for (const definition of byKey.values()) {
        const { document, pointer, role, authored } = definition;
        const found: Diagnostic[] = [];
        const own = binder(document, pointer, role, authored, (diagnostic) => found.push(diagnostic));
        const { hidden } = source;
        const translation = translateSchema(schemaAt(definition), {
          tool: authored,
          role,
          dialect: source.dialect,
          locate: (inner) => document.locate(pointer + inner),
          reference: own.bind,
          isWhole: false,
          hidden:
            hidden &&
            ((schema) => {
              const inRole = { input: hidden(schema, document, "input"), output: hidden(schema, document, "output") };
              if (inRole.input.size + inRole.output.size > 0) differByRole.add(definition);
              return inRole[role];
            }),
        });
        found.push(...translation.diagnostics);
        needsOf.set(definition, own.needs);
        const unread = source.faults.within(document, pointer);
        found.push(...unread);
        if (unread.length > 0) values.delete(definition);
        else if (isObject(translation.value) && translation.value["$schema"] !== undefined) {
          found.push(importDiagnostics("older-definition", document.locate(pointer), { definition: authored }));
        } else if (translation.value !== undefined) values.set(definition, translation.value);
        diagnostics.push(...(role === "input" ? found : asWarnings(found)));
      }
      const broken = dependentsOf(
        [...byKey.values()].filter((definition) => !values.has(definition)),
        needsOf,
      );
      for (const definition of broken) values.delete(definition);
      const names = nameDefinitions(values.keys(), needsOf, differByRole);
      const byPlaceholder = new Map([...names].map(([definition, name]) => [definition.placeholder, name]));
      const settle = (schema: JsonValue, file: string): JsonValue =>
        mapReferences(schema, (reference) => {
          const end = reference.indexOf("#") + 1;
          const name = byPlaceholder.get(reference.slice(0, end));
          return name === undefined
            ? reference
            : `${file}#/$defs/${encodeFragment(escapeToken(name))}${reference.slice(end)}`;
        });
      return {
        value: {
          definitionsFor(needs) {
            const reached = new Set(needs);
            for (const definition of reached) for (const need of needsOf.get(definition) ?? []) reached.add(need);
            const definitions = new Map<string, JsonValue>();
            // In the order in which the source leads to them.
            for (const [definition, value] of values) {
              const name = names.get(definition);
              if (name !== undefined && reached.has(definition) && !definitions.has(name)) {
                definitions.set(name, settle(value, ""));
              }
            }
            return Object.fromEntries(definitions);
          },
          missing: (needs) => [...needs].find((definition) => broken.has(definition)),
          settle,
        },
        diagnostics: withoutRepeats(diagnostics),
      };
    },
  };

  function schemaAt({ document, pointer }: Definition): JsonValue {
    const followed = followReference(`#${encodeFragment(pointer)}`, document, source.documents);
    if ("problem" in followed) throw new Error(`A definition has gone: ${document.uri}#${pointer}`);
    return followed.value;
  }
}

/** Findings about an output, without which a tool can do. */
export function asWarnings(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === "error" ? { ...diagnostic, severity: "warning" } : diagnostic,
  );
}

/** A schema that is read in both roles says most things twice. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, location, message }) => {
    const key = `${code} ${location?.uri}#${location?.pointer} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The last word of a pointer that is no word of JSON Schema; of a whole file, its name. */
function authoredName(uri: string, pointer: string): string {
  const tokens = pointerTokens(pointer);
  const word = tokens.findLast(
    (token) => !/^\d+$|^(?:schema|items|content|properties|allOf|anyOf|oneOf)$/u.test(token),
  );
  return word ?? uri.slice(uri.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.[^.]*$/u, "");
}

/** A JSON Pointer as the fragment of a reference. */
function encodeFragment(pointer: string): string {
  return pointer
    .split("/")
    .map((token) => encodeURIComponent(token).replaceAll("%24", "$"))
    .join("/");
}
