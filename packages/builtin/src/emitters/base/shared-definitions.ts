import type { JsonSchema, JsonValue, Origin, SchemaObject } from "@hasp/schema";
import { describesAnyValue, isKeyword } from "@hasp/schema/vocabulary";
import { type Documents, fromDocumentUri } from "@hasp/compiler/model";
import type { FlatSchema } from "@hasp/compiler/plugin";
import type { FlatTool } from "@hasp/compiler";
import type { Code } from "@hasp/compiler/code";
import { printSchemaComment } from "../../typescript/schema-comment.js";
import { typeKey, type TypeNode } from "../../typescript/type-node.js";
import { type TypeContext, typeOfBody } from "../../typescript/type-of-schema.js";
import { findOrAdd, isStructured, isSameJson, readOwnMember, findValueAt, indexBy } from "@hasp/base/json";
import { digestText, computeShortDigest } from "./module-text.js";

export interface DefinitionUse {
  readonly definition: string;
  /** Digest of its type for callers and handlers, with nested definitions expanded. Equal uses have equal digests. */
  readonly digest: string;
  readonly isAlike: boolean;
  /** False for plain strings and numbers, which read better as such. */
  readonly isWorthAName: boolean;
}

/** The shared definitions that a tool uses, and the nodes of its flat schemas that come from them. */
export interface ToolDefinitions {
  readonly uses: readonly DefinitionUse[];
  readonly definitions: readonly string[];
  readonly nodes: ReadonlyMap<object, DefinitionNode>;
}

export interface DefinitionNode {
  readonly definition: string;
  readonly node: SchemaObject;
  readonly isOutput: boolean;
  readonly comment: Code;
  /** Digest of descriptions that differ from the definition's; empty if they are equal. */
  readonly prose: string;
}

/** Definition uses that have a type already, by content: most tools use a definition alike. */
export type TypedUses = Map<string, Omit<DefinitionUse, "definition">>;

export function findDefinitions(tool: FlatTool, documents: Documents, typed: TypedUses = new Map()): ToolDefinitions {
  const found = [
    ...nodesIn(tool.input, tool, documents, false),
    ...(tool.output === undefined ? [] : nodesIn(tool.output, tool, documents, true)),
  ];
  const nodes = indexBy(found, ({ node }) => node);
  return {
    uses: found.map((use) => ({ definition: use.definition, ...typedUse(use, typed) })),
    definitions: [...new Set([...nodes.values()].toReversed().map(({ definition }) => definition))],
    nodes,
  };
}

/** Prints a definition's type; `nameOf` names nested definitions. */
export function typeDefinition(
  { node, isOutput }: DefinitionNode,
  isFilled: boolean,
  nameOf: TypeContext["nameOf"],
): TypeNode {
  return typeOfBody(node, {
    isFilled,
    isOpenByNature: isOutput,
    nameOf: (inner, context) =>
      inner === node || context.isClosedAround === true ? undefined : nameOf(inner, context),
  });
}

function typedUse(use: DefinitionNode, typed: TypedUses): Omit<DefinitionUse, "definition"> {
  // A tool's own description of the definition does not change the type.
  const { title: _title, description: _description, ...said } = use.node;
  const key = `${use.isOutput} ${JSON.stringify(said)}`;
  return findOrAdd(typed, key, () => digestedUse(use));
}

function digestedUse(use: DefinitionNode): Omit<DefinitionUse, "definition"> {
  const plain = typeDefinition(use, false, () => undefined);
  const [plainKey, filledKey] = [typeKey(plain), typeKey(typeDefinition(use, true, () => undefined))];
  return {
    digest: digestText(`${plainKey}\n${filledKey}`),
    isAlike: plainKey === filledKey,
    isWorthAName: isWorthAName(plain),
  };
}

function isWorthAName(type: TypeNode): boolean {
  return type.kind === "object"
    ? type.properties.length > 0
    : type.kind === "union" || type.kind === "tuple" || type.kind === "intersection";
}

function nodesIn(flat: FlatSchema, tool: FlatTool, documents: Documents, isOutput: boolean): readonly DefinitionNode[] {
  const found: DefinitionNode[] = [];
  const visit = (value: unknown): void => {
    if (!isStructured(value)) return;
    const origin = Array.isArray(value) ? undefined : soleDefinition(flat.originsOf(value), tool, documents);
    if (origin !== undefined) {
      const uri = fromDocumentUri(origin.uri);
      const document = documents.get(uri);
      const authored = document && findValueAt(document.value, origin.pointer);
      const comment = printSchemaComment((authored ?? true) as JsonSchema);
      const node = value as SchemaObject;
      const prose = digestOfOwnProse(node, authored);
      found.push({ definition: `${uri}#${origin.pointer}`, node, isOutput, comment, prose });
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(flat.schema);
  return found;
}

/** Finds the one shared definition behind a node. Annotations beside a `$ref` do not count as another origin. */
function soleDefinition(origins: readonly Origin[], tool: FlatTool, documents: Documents): Origin | undefined {
  const definitions = origins.filter(({ pointer }) => /\/(?:\$defs|definitions)\/[^/]+$/u.test(pointer));
  const [definition] = definitions;
  if (definition === undefined || definitions.length > 1 || fromDocumentUri(definition.uri) === tool.document.uri) {
    return undefined;
  }
  const areProse = origins.every((origin) => origin === definition || saysOnlyProse(origin, documents));
  return areProse ? definition : undefined;
}

/** True for keywords beside a `$ref` that do not change its meaning. */
function isProse(keyword: string): boolean {
  return keyword === "$ref" || (isKeyword(keyword) && describesAnyValue(keyword));
}

function digestOfOwnProse(node: SchemaObject, authored: JsonValue | undefined): string {
  const differing = Object.entries(node).filter(
    ([word, said]) => isProse(word) && !isSameJson((said ?? null) as JsonValue, readOwnMember(authored, word) ?? null),
  );
  return differing.length === 0 ? "" : computeShortDigest(JSON.stringify(differing));
}

function saysOnlyProse({ uri, pointer }: Origin, documents: Documents): boolean {
  const document = documents.get(fromDocumentUri(uri));
  const value: JsonValue | undefined = document && findValueAt(document.value, pointer);
  return isStructured(value) && Object.keys(value).every((word) => isProse(word));
}
