import type { JsonValue } from "@hasp/schema";
import { type LoadedDocument, isRemote, resolveReference, toLocalReference } from "@hasp/compiler/model";
import { listReferences, mayHoldIds } from "@hasp/compiler/source";
import type { FlatTool } from "@hasp/compiler";
import { readOwnMember, isStructured, isObject, escapeToken, parsePointer, readReference } from "@hasp/base/json";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

export const unusedDefinition: Rule = defineRule({
  id: "schema/unused-definition",
  severity: "warning",
  summary: "Every definition is used.",
  why:
    "A definition without references is usually left over from a rename, or the intended target of a $ref that points " +
    "elsewhere. Reading, reviewing and updating it is wasted work.",
  messages: {
    unused: 'Nothing refers to the definition "{name}". Remove it.',
  },
  examples: {
    bad: [
      reporting("unused")`
        name: find
        description: Find.
        input:
          type: object
          properties: { at: { $ref: "#/$defs/Place" } }
          $defs: { Place: { type: string }, Plaice: { type: string } }
      `,
    ],
    good: [
      spec`
        name: find
        description: Find.
        input:
          type: object
          properties: { at: { $ref: "#/$defs/Place" } }
          $defs: { Place: { anyOf: [{ $ref: "#/$defs/Point" }, { type: string }] }, Point: { const: here } }
      `,
    ],
  },
  checkProject({ tools, documents }, { report }) {
    // Nearly every project has nothing unused, so search for references only on demand.
    let known: ReadonlySet<string> | undefined;
    const isPointedTo = (uri: string, pointer: string): boolean => {
      known ??= usedFragments(documents);
      return known.has(`${uri}#${pointer}`) || known.has(`${ANY_DOCUMENT}#${lastTwo(pointer)}`);
    };
    for (const document of documents) {
      if (document.role !== "shared") continue;
      for (const { pointer, name } of nameless(document.value)) {
        if (!isPointedTo(document.uri, pointer)) {
          report("unused", { location: document.locate(pointer, "key"), needsAllSpecs: true }, { name });
        }
      }
    }
    for (const tool of tools) {
      for (const { part, pointers, candidates } of findCandidates(tool)) {
        const unused = candidates.filter(
          ({ pointer }) => !isPointedTo(tool.document.uri, `${tool.pointer}/${part}${pointer}`),
        );
        for (const { pointer, name } of unused) {
          const location = tool.locate(`/${part}${pointer}`, "key");
          // If all are unused, remove the holder as well.
          const holder = pointer.slice(0, pointer.lastIndexOf("/") + 1);
          const isWhole =
            pointers.filter((each) => each.startsWith(holder)).length ===
            unused.filter((each) => each.pointer.startsWith(holder)).length;
          const removed = isWhole ? location.pointer.slice(0, location.pointer.lastIndexOf("/")) : location.pointer;
          const fix = { kind: "remove", uri: location.uri, pointer: removed } as const;
          report("unused", { tool, location, needsAllSpecs: true, fix }, { name });
        }
      }
    }
  },
});

interface DefinitionEntry {
  readonly pointer: string;
  readonly name: string;
}

interface Candidates {
  readonly part: "input" | "output";
  readonly pointers: readonly string[];
  readonly candidates: readonly DefinitionEntry[];
}

function findCandidates(tool: FlatTool): readonly Candidates[] {
  return (["input", "output"] as const).flatMap((part) => {
    const schema = tool.spec[part] as JsonValue | undefined;
    const definitions = schema === undefined ? [] : definitionsIn(schema);
    if (schema === undefined || definitions.length === 0) return [];
    const local = listReferences(schema)
      .filter((reference) => reference.startsWith("#"))
      .map((reference) => `${readReference(reference) ?? ""}/`);
    const isUsed = (pointer: string): boolean => local.some((each) => each.startsWith(`${pointer}/`));
    const candidates = definitions.filter(({ pointer }) => !isUsed(pointer) && !hasName(schema, pointer));
    return candidates.length === 0 ? [] : [{ part, pointers: definitions.map(({ pointer }) => pointer), candidates }];
  });
}

/** Collects the `path#pointer` of every reference in any file, and of the schemas around it. */
function usedFragments(documents: readonly LoadedDocument[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const document of documents) {
    if (document.role === "ledger") continue;
    for (const fragment of fragmentsUsedIn(document)) used.add(fragment);
  }
  return used;
}

function fragmentsUsedIn(document: LoadedDocument): ReadonlySet<string> {
  const { uri, references, value } = document;
  const used = new Set<string>();
  const hasOwnBase = references.length > 0 && mayHoldIds(document) && hasKey(value, ["$id"]);
  for (const reference of references) {
    const target = resolveReference(reference, uri);
    const path = target.kind === "document" ? target.path : target.kind === "local" ? uri : undefined;
    const tokens = (readReference(toLocalReference(reference)) ?? "").split("/");
    for (let length = 2; length <= tokens.length; length += 1) {
      const pointer = tokens.slice(0, length).join("/");
      if (path !== undefined) used.add(`${path}#${pointer}`);
      // An `$id` may give a schema any address.
      if (path === undefined || isRemote(path) || hasOwnBase) used.add(`${ANY_DOCUMENT}#${lastTwo(pointer)}`);
    }
  }
  return used;
}

/** Stands for the document of a reference that is resolved against an `$id`. */
const ANY_DOCUMENT = "*";

function lastTwo(pointer: string): string {
  return pointer.split("/").slice(-2).join("/");
}

function nameless(schema: JsonValue): readonly DefinitionEntry[] {
  return definitionsIn(schema).filter(({ pointer }) => !hasName(schema, pointer));
}

function definitionsIn(schema: JsonValue): readonly DefinitionEntry[] {
  if (!isObject(schema)) return [];
  return ["$defs", "definitions"].flatMap((keyword) => {
    const map = readOwnMember(schema, keyword);
    return isObject(map) ? Object.keys(map).map((name) => ({ pointer: `/${keyword}/${escapeToken(name)}`, name })) : [];
  });
}

/** True if a definition or a part of it has a name of its own; the resolver follows those. */
function hasName(schema: JsonValue, pointer: string): boolean {
  let found: JsonValue | undefined = schema;
  for (const key of parsePointer(pointer)) found = readOwnMember(found, key);
  return hasKey(found, ["$id", "$anchor", "$dynamicAnchor"]);
}

function hasKey(value: unknown, names: readonly string[]): boolean {
  if (!isStructured(value)) return false;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (names.includes(key)) return true;
    const member: unknown = Reflect.get(value, key);
    if (typeof member === "object" && hasKey(member, names)) return true;
  }
  return false;
}
