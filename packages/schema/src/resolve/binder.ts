import { depthDiagnostics } from "../diagnostics/define-diagnostics.js";
import type { Origin, SchemaDiagnostic } from "@hasp/base/diagnostics";
import { resolveDiagnostics } from "./diagnostics.js";
import { EMPTY_SCOPE, enterResource, scopeBound, scopeNode } from "./dynamic-scope.js";
import {
  findOrAdd,
  isPlainObject,
  appendToPointer,
  decodeFragment,
  parsePointer,
  readReference,
  readStep,
} from "@hasp/base/json";
import { findNearestReference, findTargetBelow, type PointerTarget, resolveUri, splitFragment } from "./references.js";
import { readSchema, type ReadContext } from "./read-schema.js";
import type { BoundSchema, DynamicScope, SchemaNode, SchemaResource, SchemaDocument } from "./types.js";
import { readDraft, findNearestDraft, type Draft } from "../vocabulary/keywords.js";

/** The deepest nesting of schemas; more is refused before anything can run out of stack. */
const MAX_SCHEMA_DEPTH = 256;

export interface BinderOptions {
  readonly baseUri: string;
  readonly pointer: string;
  readonly resolve: ((uri: string) => unknown) | undefined;
  readonly draft: Draft;
  readonly unknownKeywords: "error" | "keep";
  /** Follows `$dynamicRef` through the dynamic scope. Costs a copy of each node, so it is set only if one occurs. */
  readonly dynamicScopes: boolean;
}

/** The nodes of a schema and of the documents it refers to, with the targets of their references. */
export interface SchemaBinder {
  readonly root: SchemaNode;
  /** A node that accepts anything and that nobody wrote. */
  readonly anything: SchemaNode;
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** True if a `$dynamicRef` needs the dynamic scope, which this binder does not keep. */
  readonly needsDynamicScopes: () => boolean;
  /** True if the schema is shallow and finite enough to be worked on. */
  readonly isUsable: () => boolean;
  /** The nodes of the schema itself that something is conjoined with, used or not. */
  readonly joining: readonly SchemaNode[];
  open(node: SchemaNode): BoundSchema;
  /** Returns the node that the `$ref` of a node names; `undefined` if it has none or that leads nowhere. */
  target(node: SchemaNode): SchemaNode | undefined;
  /** Returns the nodes that are conjoined with a node in place: its `allOf`, and what its references name. */
  conjuncts(bound: BoundSchema): readonly SchemaNode[];
  origin(node: SchemaNode): Origin;
  report(diagnostic: SchemaDiagnostic): void;
}

/** Creates the {@link SchemaBinder} of one schema: reads every node of it, and follows every reference in it, at once. */
export function createBinder(schema: unknown, options: BinderOptions): SchemaBinder {
  const diagnostics: SchemaDiagnostic[] = [];
  const documents: SchemaDocument[] = [];
  const resources = new Map<string, SchemaResource>();
  const targets = new Map<number, readonly SchemaNode[]>();
  const joining: SchemaNode[] = [];
  let nextId = 1;
  let dynamicReferenceMet = false;
  let usable = true;

  const report = (diagnostic: SchemaDiagnostic): void => {
    diagnostics.push(diagnostic);
  };
  const context: ReadContext = { unknownKeywords: options.unknownKeywords, child: childNode, origin, report };

  function newNode(
    document: SchemaDocument,
    pointer: string,
    value: unknown,
    resource: SchemaResource,
    depth: number,
  ): SchemaNode {
    const node: SchemaNode = {
      id: nextId++,
      document,
      pointer,
      value,
      resource,
      depth,
      scoped: undefined,
      bound: undefined,
      alive: false,
    };
    document.nodes.set(pointer, node);
    return node;
  }

  /** Returns the resource that begins at a schema with an `$id` of its own, or the one around it. */
  function resourceAt(
    document: SchemaDocument,
    pointer: string,
    value: unknown,
    outer: SchemaResource,
  ): SchemaResource {
    if (!isPlainObject(value) || typeof value["$id"] !== "string") return outer;
    if (outer.draft === "draft-07" && typeof value["$ref"] === "string") return outer;
    const { uri, fragment } = splitFragment(value["$id"]);
    if (uri === "" && fragment !== "") return outer;
    const draft = draftAt(document, pointer, value, outer.draft);
    const resource: SchemaResource = {
      uri: resolveUri(outer.uri, uri),
      draft,
      document,
      pointer,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    if (!resources.has(resource.uri)) resources.set(resource.uri, resource);
    return resource;
  }

  function draftAt(document: SchemaDocument, pointer: string, value: unknown, inherited: Draft): Draft {
    const named = isPlainObject(value) ? value["$schema"] : undefined;
    if (typeof named !== "string") return inherited;
    const draft = readDraft(named);
    if (draft !== undefined) return draft;
    const taken = findNearestDraft(named);
    const where = { uri: document.uri, pointer: `${document.prefix}${pointer}/$schema` };
    report(
      resolveDiagnostics(
        "unsupported-draft",
        where,
        { uri: named, draft: taken },
        { severity: options.unknownKeywords === "error" ? "error" : "warning" },
      ),
    );
    return taken;
  }

  function placeAt(
    document: SchemaDocument,
    pointer: string,
    value: unknown,
    outer: SchemaResource,
    depth: number,
  ): SchemaNode {
    const known = document.nodes.get(pointer);
    if (known !== undefined) return known;
    const node = newNode(document, pointer, value, resourceAt(document, pointer, value, outer), depth);
    if (
      node.resource.draft === "draft-07" &&
      isPlainObject(value) &&
      typeof value["$id"] === "string" &&
      value["$id"].startsWith("#")
    ) {
      node.resource.anchors.set(value["$id"].slice(1), node);
    }
    return node;
  }

  function childNode(parent: SchemaNode, pointer: string, value: unknown): SchemaNode {
    return placeAt(parent.document, pointer, value, parent.resource, parent.depth + 1);
  }

  function addDocument(uri: string, prefix: string, value: unknown, inherited: Draft): SchemaNode {
    const document: SchemaDocument = { uri, prefix, value, nodes: new Map(), explored: false };
    documents.push(document);
    const outer: SchemaResource = {
      uri,
      draft: draftAt(document, "", value, inherited),
      document,
      pointer: "",
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    const node = newNode(document, "", value, rootResource(document, value, outer), 0);
    // A schema taken out of a file is not that file: a reference to the file's URI means the whole of it.
    if (prefix === "") resources.set(uri, node.resource);
    if (options.dynamicScopes) explore(document);
    return node;
  }

  function rootResource(document: SchemaDocument, value: unknown, outer: SchemaResource): SchemaResource {
    if (!isPlainObject(value) || typeof value["$id"] !== "string") return outer;
    return resourceAt(document, "", { $id: value["$id"] }, outer);
  }

  /** Opens every schema position, so that each `$id` and anchor is known and each error reported. */
  function explore(document: SchemaDocument): void {
    if (document.explored) return;
    document.explored = true;
    const root = document.nodes.get("");
    const queue = root === undefined ? [] : [root];
    let limit = 200_000;
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (node.depth > MAX_SCHEMA_DEPTH) {
        usable = false;
        report(depthDiagnostics("too-deep", origin(node), { variant: "written", limit: MAX_SCHEMA_DEPTH }));
        return;
      }
      // One object at several locations is fine (a YAML alias); very many locations of few objects are a loop.
      if (document.nodes.size > limit) {
        if (new Set(Array.from(document.nodes.values(), ({ value }) => value)).size < limit / 100) {
          usable = false;
          report(resolveDiagnostics("not-json", origin(node), { what: "an object that contains itself" }));
          return;
        }
        limit *= 2;
      }
      const { children, reference, dynamicReference, conjuncts: members } = openPlain(node);
      if (reference !== undefined || dynamicReference !== undefined || members.length > 0) joining.push(node);
      for (let index = children.length - 1; index >= 0; index--) queue.push(children[index] as SchemaNode);
    }
  }

  function openPlain(node: SchemaNode): BoundSchema {
    node.bound ??= readSchema(node, context);
    return node.bound;
  }

  function open(node: SchemaNode): BoundSchema {
    if (node.scoped === undefined) return openPlain(node);
    node.bound ??= scopeBound(openPlain(node.scoped.plain), node.scoped.scope, node.id, inScope);
    return node.bound;
  }

  const scopedNodes = new Map<string, SchemaNode>();
  /** Returns a node as it is reached from a dynamic scope; entering its resource may extend that scope. */
  function inScope(node: SchemaNode, scope: DynamicScope): SchemaNode {
    if (!options.dynamicScopes) return node;
    const entered = enterResource(scope, node.resource);
    const key = `${node.id}:${entered.key}`;
    return findOrAdd(scopedNodes, key, () => scopeNode(node, entered, nextId++));
  }

  function conjuncts(bound: BoundSchema): readonly SchemaNode[] {
    if (bound.reference === undefined && bound.dynamicReference === undefined) return bound.conjuncts;
    let all = targets.get(bound.id);
    if (all === undefined) {
      const nodes: SchemaNode[] = [];
      if (bound.reference !== undefined) nodes.push(...referenceTarget(bound.node, bound.reference));
      if (bound.dynamicReference !== undefined) nodes.push(...dynamicTarget(bound.node, bound.dynamicReference));
      all = [...nodes, ...bound.conjuncts];
      targets.set(bound.id, all);
    }
    return all;
  }

  function referenceTarget(node: SchemaNode, reference: string): readonly SchemaNode[] {
    const plain = node.scoped?.plain ?? node;
    const target = find(plain, reference, "$ref");
    if (target === undefined) return [];
    return [inScope(target, node.scoped?.scope ?? EMPTY_SCOPE)];
  }

  function dynamicTarget(node: SchemaNode, reference: string): readonly SchemaNode[] {
    const plain = node.scoped?.plain ?? node;
    const first = find(plain, reference, "$dynamicRef");
    if (first === undefined) return [];
    const name = splitFragment(reference).fragment;
    const bearsAnchor = first.resource.dynamicAnchors.get(name) === first;
    const scope = node.scoped?.scope ?? EMPTY_SCOPE;
    if (!bearsAnchor) return [inScope(first, scope)];
    dynamicReferenceMet = true;
    return [inScope(scope.anchors.get(name) ?? first, scope)];
  }

  function find(node: SchemaNode, reference: string, keyword: string): SchemaNode | undefined {
    const { uri, fragment } = splitFragment(reference);
    const where = origin(node, appendToPointer(node.pointer, keyword));
    let resource: SchemaResource | undefined = node.resource;
    if (uri !== "") {
      const absolute = resolveUri(node.resource.uri, uri);
      resource = resources.get(absolute) ?? load(absolute, node.resource.draft);
      if (resource === undefined) {
        report(resolveDiagnostics("reference-not-found", where, { variant: "document", reference, uri: absolute }));
        return undefined;
      }
    }
    const decoded = decodeFragment(fragment);
    const pointer = readReference(`#${fragment}`);
    const target =
      pointer === undefined ? (decoded === undefined ? undefined : anchor(resource, decoded)) : walk(resource, pointer);
    if (target === undefined) {
      const nearest = findNearestReference(resource, decoded ?? fragment);
      report(
        resolveDiagnostics("reference-not-found", where, {
          variant: decoded === undefined ? "malformed" : "definition",
          reference,
          nearest: nearest === undefined ? [] : [nearest],
        }),
      );
    }
    return target;
  }

  function load(uri: string, draft: Draft): SchemaResource | undefined {
    const value = options.resolve?.(uri);
    if (value !== undefined) return addDocument(uri, "", value, draft).resource;
    // It may be the `$id` of a subschema that nothing has led to yet.
    for (const document of documents) explore(document);
    return resources.get(uri);
  }

  function anchor(resource: SchemaResource, name: string): SchemaNode | undefined {
    if (!resource.anchors.has(name)) explore(resource.document);
    return resource.anchors.get(name);
  }

  function walk(from: SchemaResource, pointer: string): SchemaNode | undefined {
    const { document } = from;
    const known = document.nodes.get(from.pointer + pointer);
    if (known !== undefined) return known;
    let at = from.pointer;
    let value: unknown = document.nodes.get(from.pointer)?.value;
    let resource = from;
    let depth = document.nodes.get(from.pointer)?.depth ?? 0;
    let position: PointerTarget = "schema";
    for (const key of parsePointer(pointer)) {
      const next = readStep(value, key);
      if (next === undefined) return undefined;
      at = appendToPointer(at, key);
      position =
        position === "schema"
          ? findTargetBelow(resource.draft, key, next)
          : position === "container"
            ? "schema"
            : "elsewhere";
      if (position === "schema") {
        resource = document.nodes.get(at)?.resource ?? resourceAt(document, at, next, resource);
      }
      value = next;
      depth++;
    }
    return placeAt(document, at, value, resource, depth);
  }

  const rootNode = addDocument(options.baseUri, options.pointer, schema, options.draft);
  const { document } = rootNode;
  explore(document);
  // A broken reference is an error even where nothing uses it.
  const own = joining.slice();
  for (const node of own) conjuncts(openPlain(node));

  const anything: SchemaNode = { ...rootNode, id: 0, value: true, bound: undefined };

  return {
    anything,
    root: inScope(rootNode, EMPTY_SCOPE),
    diagnostics,
    needsDynamicScopes: () => dynamicReferenceMet && !options.dynamicScopes,
    isUsable: () => usable,
    joining: own,
    open,
    target(node) {
      const { reference } = open(node);
      return reference === undefined ? undefined : referenceTarget(node, reference)[0];
    },
    conjuncts,
    origin,
    report,
  };
}

function origin(node: SchemaNode, pointer = node.pointer): Origin {
  return { uri: node.document.uri, pointer: node.document.prefix + pointer };
}
