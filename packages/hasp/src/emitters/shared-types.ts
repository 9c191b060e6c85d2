import type { JsonSchema, JsonValue, Origin } from "@hasp/schema";
import type { LoadedDocument } from "../model/document.js";
import type { FlatSchema, FlatTool } from "../model/tool.js";
import { fromDocumentUri } from "../phases/2-resolve/document-uri.js";
import { valueAt } from "../phases/2-resolve/schema-places.js";
import { docComment, schemaParagraphs } from "../typescript/doc-comment.js";
import { groupBy } from "../typescript/group-by.js";
import { typeName } from "../typescript/names.js";
import { isSameType, type TypeNode } from "../typescript/type-node.js";
import { type TypeContext, typeOfBody } from "../typescript/type-of-schema.js";

/** The types of definitions that specs share, declared once under their authors' names. */
export interface SharedTypes {
  /** All names in the file of shared types. */
  readonly names: readonly string[];
  readonly declared: readonly { readonly name: string; readonly type: TypeNode; readonly comment: readonly string[] }[];
  /** The name of the shared type of a node of some tool's schema, if it has one. */
  nameOf(node: object, isFilled: boolean, isClosedAround: boolean): string | undefined;
}

/** A use of a definition: a node of a flat schema that came from it and from nothing else. */
interface Use {
  readonly node: Exclude<JsonSchema, boolean>;
  readonly isOutput: boolean;
}

interface Definition {
  readonly uri: string;
  readonly pointer: string;
  /** The last name in the pointer: what its author called it. */
  readonly authored: string;
  readonly uses: readonly Use[];
}

/** Finds the definitions in shared files that have a type worth a name. */
export function findSharedTypes(tools: readonly FlatTool[], documents: readonly LoadedDocument[], taken: readonly string[]): SharedTypes {
  const documentsByUri = new Map(documents.map((document) => [document.uri, document]));
  const definitions = definitionsOf(tools, documentsByUri);
  const names = namesOf(definitions, taken);
  const filled = new Map<object, string>();
  const unfilled = new Map<object, string>();
  const context = (isFilled: boolean, self: object): TypeContext => ({
    isFilled,
    isOpenByNature: false,
    nameOf: (node, { isFilled: isFilledHere, isClosedAround }) =>
      typeof node === "object" && node !== self && isClosedAround !== true ? (isFilledHere ? filled : unfilled).get(node) : undefined,
  });
  const declared = definitions.flatMap((definition) => {
    const name = names.get(definition) ?? definition.authored;
    const comment = docComment(schemaParagraphs(valueAt(documentsByUri.get(definition.uri)?.value ?? null, definition.pointer) as JsonSchema));
    const typed = definition.uses.map((use) => ({
      use,
      plain: typeOfBody(use.node, { ...context(false, use.node), isOpenByNature: use.isOutput }),
      full: typeOfBody(use.node, { ...context(true, use.node), isOpenByNature: use.isOutput }),
    }));
    const [model] = typed;
    // A definition that comes out differently in two places has no one type.
    if (model === undefined || !isWorthAName(model.plain) || typed.some(({ plain, full }) => !isSameType(plain, model.plain) || !isSameType(full, model.full))) {
      return [];
    }
    const isAlike = isSameType(model.plain, model.full);
    const plainName = isAlike ? name : `${name}Arguments`;
    for (const { use } of typed) {
      unfilled.set(use.node, plainName);
      filled.set(use.node, name);
    }
    return [
      ...(isAlike ? [] : [{ name: plainName, type: model.plain, comment }]),
      { name, type: model.full, comment },
    ];
  });
  return {
    names: declared.map(({ name }) => name),
    declared: declared.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    nameOf: (node, isFilled, isClosedAround) => (isClosedAround ? undefined : (isFilled ? filled : unfilled).get(node)),
  };
}

/** A plain text or number reads better under its own word. */
function isWorthAName(type: TypeNode): boolean {
  return type.kind === "object" ? type.properties.length > 0 : type.kind === "union" || type.kind === "tuple" || type.kind === "intersection";
}

function definitionsOf(tools: readonly FlatTool[], documents: ReadonlyMap<string, LoadedDocument>): readonly Definition[] {
  const uses = tools.flatMap((tool) => [
    ...usesIn(tool.input, tool, documents, false),
    ...(tool.output === undefined ? [] : usesIn(tool.output, tool, documents, true)),
  ]);
  const grouped = groupBy(uses, ({ origin }) => `${fromDocumentUri(origin.uri)}#${origin.pointer}`);
  const definitions = [...grouped].map(([key, found]): Definition => {
    const at = key.indexOf("#");
    const pointer = key.slice(at + 1);
    return { uri: key.slice(0, at), pointer, authored: lastName(pointer), uses: found };
  });
  // What a definition is made of comes before it, so that it can be named in it.
  const heights = new Map(definitions.map((definition) => [definition, heightOf(definition)]));
  const height = (definition: Definition): number => heights.get(definition) ?? 0;
  return definitions.toSorted((left, right) => height(left) - height(right) || (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf({ uri, pointer }: Definition): string {
  return `${uri}#${pointer}`;
}

function lastName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** How many schemas lie below one another in a definition. */
function heightOf({ uses }: Definition): number {
  const height = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(height)) : 0;
  return height(uses[0]?.node);
}

function usesIn(flat: FlatSchema, tool: FlatTool, documents: ReadonlyMap<string, LoadedDocument>, isOutput: boolean): readonly (Use & { readonly origin: Origin })[] {
  const found: (Use & { readonly origin: Origin })[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const origin = Array.isArray(value) ? undefined : soleDefinition(flat.originsOf(value), tool, documents);
    if (origin !== undefined) found.push({ node: value as Use["node"], isOutput, origin });
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(flat.schema);
  return found;
}

/**
 * The definition in a shared file that a node stands for: it is the only one among the node's origins, and what the
 * others say beside their `$ref` is prose.
 */
function soleDefinition(origins: readonly Origin[], tool: FlatTool, documents: ReadonlyMap<string, LoadedDocument>): Origin | undefined {
  const definitions = origins.filter(({ pointer }) => /\/(?:\$defs|definitions)\/[^/]+$/u.test(pointer));
  const [definition] = definitions;
  if (definition === undefined || definitions.length > 1 || fromDocumentUri(definition.uri) === tool.document.uri) return undefined;
  const areProse = origins.every((origin) => origin === definition || saysOnlyProse(origin, documents));
  return areProse ? definition : undefined;
}

const prose: ReadonlySet<string> = new Set(["$ref", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"]);

function saysOnlyProse({ uri, pointer }: Origin, documents: ReadonlyMap<string, LoadedDocument>): boolean {
  const document = documents.get(fromDocumentUri(uri));
  const value: JsonValue | undefined = document === undefined ? undefined : valueAt(document.value, pointer);
  return typeof value === "object" && value !== null && Object.keys(value).every((word) => prose.has(word));
}

/** Each definition under its author's name; where two files use one name, the file's name sets them apart. */
function namesOf(definitions: readonly Definition[], taken: readonly string[]): ReadonlyMap<Definition, string> {
  const used = new Set(taken);
  const byName = groupBy(definitions, ({ authored }) => typeName(authored));
  return new Map(
    definitions.map((definition) => {
      const name = typeName(definition.authored);
      const isShared = (byName.get(name)?.length ?? 0) > 1 || used.has(name) || used.has(`${name}Arguments`);
      const file = typeName(definition.uri.slice(definition.uri.lastIndexOf("/") + 1).replace(/\.[^.]*$/u, ""));
      let candidate = isShared ? `${file}${name}` : name;
      for (let folder = definition.uri.split("/").slice(0, -1); used.has(candidate) || used.has(`${candidate}Arguments`); folder = folder.slice(0, -1)) {
        candidate = `${typeName(folder.at(-1) ?? "Shared")}${candidate}`;
      }
      used.add(candidate);
      used.add(`${candidate}Arguments`);
      return [definition, candidate];
    }),
  );
}
