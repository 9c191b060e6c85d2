import {
  type JsonSchema,
  type Origin,
  flatten,
  type SchemaDiagnostic,
  type SchemaObject,
  closeSchema,
} from "@hasp/schema";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import { type Location, hasErrors } from "@hasp/base/diagnostics";
import { type Documents, fromDocumentUri, toDocumentUri } from "../../model/document-references.js";
import { listSchemaNodes } from "../../model/schemas.js";
import type { FlatSchema } from "../../model/tool.js";
import { isStructured, dropUndefined, unescapeToken, findValueAt, lazily, readOwnMember } from "@hasp/base/json";
import { hideBound, keepBound, type TracedSchema } from "./hide-bound.js";

/** Finds an origin in the user's files; `fallback` is the location of generated nodes. */
export function locateOrigin(
  origin: Origin | undefined,
  documents: Documents,
  fallback: () => Location,
  part: "key" | "value" = "value",
): Location {
  const document = origin && documents.get(fromDocumentUri(origin.uri));
  return origin === undefined || document === undefined ? fallback() : document.locate(origin.pointer, part);
}

export function createFlatSchema(
  schema: JsonSchema,
  originsOf: (node: object) => readonly Origin[],
  documents: Documents,
  fallback: () => Location,
): FlatSchema {
  const known = {
    schema,
    originsOf,
    locate(pointer: string, part?: "key" | "value") {
      const nearest = nearestOrigin(schema, pointer, originsOf, documents);
      return locateOrigin(nearest, documents, fallback, part);
    },
  };
  return lazily<FlatSchema, typeof known>(known, { nodes: true }, () => ({ ...known, nodes: listSchemaNodes(schema) }));
}

function nearestOrigin(
  schema: JsonSchema,
  pointer: string,
  originsOf: (node: object) => readonly Origin[],
  documents: Documents,
): Origin | undefined {
  const way: { readonly node: object; readonly rest: string }[] = [];
  let node: unknown = schema;
  for (let rest = pointer; isStructured(node);) {
    way.push({ node, rest });
    if (rest === "") break;
    const end = rest.indexOf("/", 1);
    const segment = end === -1 ? rest.slice(1) : rest.slice(1, end);
    const token = unescapeToken(segment);
    node = readOwnMember(node, token);
    rest = rest.slice(segment.length + 1);
  }
  // From the inside out: the innermost node almost always has an origin.
  for (const { node: each, rest } of way.toReversed()) {
    const origins = originsOf(each);
    if (origins.length > 0) return originThatSays(origins, rest, documents);
  }
  return undefined;
}

/** Picks the location that states the requested keyword from those merged into one node. */
function originThatSays(origins: readonly Origin[], inside: string, documents: Documents): Origin | undefined {
  const candidates = origins.map(({ uri, pointer }) => ({ uri, pointer: pointer + inside }));
  const says = candidates.find(({ uri, pointer }) => {
    const document = documents.get(fromDocumentUri(uri));
    return document !== undefined && findValueAt(document.value, pointer) !== undefined;
  });
  return says ?? candidates[0];
}

interface PartSettings {
  readonly part: "input" | "output";
  readonly uri: string;
  readonly pointer: string;
  readonly documents: Documents;
  /** Names that the host fills in. Default: none. */
  readonly bound?: readonly string[] | undefined;
  /** True for the text of a free-text tool, which becomes the one member of an object. */
  readonly isText?: boolean | undefined;
  /** The most nodes that the flat schema may have. Default: that of `flatten`. */
  readonly nodeBudget?: number | undefined;
}

/** A flat part, closed if it is an input, with its findings; an error rules out its use. */
interface FlatPart extends TracedSchema {
  readonly bound?: JsonSchema | undefined;
  readonly diagnostics: readonly SchemaDiagnostic[];
}

/** Flattens a schema of a tool and closes an input. */
export function flatPart(
  schema: JsonSchema,
  { part, uri, pointer, documents, bound, isText = false, nodeBudget }: PartSettings,
): FlatPart {
  const read = flatten(schema, {
    baseUri: toDocumentUri(uri),
    pointer,
    resolve: (address) => documents.get(fromDocumentUri(address))?.value,
    unknownKeywords: "error",
    ...dropUndefined({ nodeBudget }),
  });
  if (part === "output" || hasErrors(read.diagnostics)) return read;
  const flat = isText ? { ...read, ...asTextInput(read) } : read;
  const visible = bound === undefined ? flat : hideBound(flat, bound);
  const closed = closeSchema(visible.schema, { originsOf: visible.originsOf });
  return {
    schema: closed.schema,
    originsOf: closed.originsOf,
    bound: bound && keepBound(flat.schema, bound),
    diagnostics: [...flat.diagnostics, ...closed.diagnostics],
  };
}

/** Wraps the flat schema of a free-text tool's text into the object that is the tool's input in hasp. */
function asTextInput({ schema: text, originsOf }: TracedSchema): TracedSchema {
  const schema: SchemaObject = {
    type: "object",
    properties: { [TEXT_MEMBER]: text },
    required: [TEXT_MEMBER],
    additionalProperties: false,
  };
  return {
    schema,
    originsOf: (node) => (node === schema && typeof text === "object" ? originsOf(text) : originsOf(node)),
  };
}
