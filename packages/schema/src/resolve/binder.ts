import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";
import { resolveDiagnostics } from "./diagnostics.js";
import { EMPTY_SCOPE, enterResource, scopedBound, scopedPlace } from "./dynamic-scope.js";
import { isPlainObject } from "../json/json-value.js";
import { childPointer, decodeFragment, pointerKeys } from "../json/pointer.js";
import { nearestDefinition } from "./nearest-definition.js";
import { readSchema, type ReadContext } from "./read-schema.js";
import { positionBelow, type Position } from "./schema-position.js";
import type { Bound, DynamicScope, Place, Resource, SchemaDocument } from "./types.js";
import { resolveUri, splitFragment } from "./uri.js";
import { draftOf, nearestDraft, type Draft } from "../vocabulary/keywords.js";

/** Schemas may nest this deep; more is refused before anything can run out of stack. */
export const MAX_SCHEMA_DEPTH = 256;

/** Settings of {@link createBinder}. */
export interface BinderOptions {
  readonly baseUri: string;
  readonly pointer: string;
  readonly resolve: ((uri: string) => unknown) | undefined;
  readonly draft: Draft;
  readonly unknownKeywords: "error" | "keep";
  /**
   * Follow `$dynamicRef` through the dynamic scope. Costs a copy of each place, so it is switched on only where one
   * occurs.
   */
  readonly dynamicScopes: boolean;
}

/** Gives the places of a schema and of the documents it refers to, and what their references mean. */
export interface Binder {
  readonly root: Place;
  /** The place of a schema that is always true and that nobody wrote. */
  readonly anything: Place;
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** A `$dynamicRef` needs the dynamic scope, and this binder does not keep it. */
  readonly needsDynamicScopes: () => boolean;
  /** The schema is shallow and finite enough to be worked on. */
  readonly isUsable: () => boolean;
  /** The places of the schema itself that something is conjoined with, used or not. */
  readonly joining: readonly Place[];
  /** Reads one place; the same answer each time. */
  open(place: Place): Bound;
  /** What is conjoined with a place in place: its `allOf`, and what its references name. */
  conjuncts(bound: Bound): readonly Place[];
  origin(place: Place): Origin;
  report(diagnostic: SchemaDiagnostic): void;
}

/** Makes the {@link Binder} of one schema: reads every place of it, and follows every reference in it, at once. */
export function createBinder(schema: unknown, options: BinderOptions): Binder {
  const diagnostics: SchemaDiagnostic[] = [];
  const documents: SchemaDocument[] = [];
  const resources = new Map<string, Resource>();
  const targets = new Map<number, readonly Place[]>();
  const joining: Place[] = [];
  let nextId = 1;
  let dynamicReferenceMet = false;
  let usable = true;

  const report = (diagnostic: SchemaDiagnostic): void => {
    diagnostics.push(diagnostic);
  };
  const context: ReadContext = { unknownKeywords: options.unknownKeywords, child: childPlace, origin, report };

  function newPlace(
    document: SchemaDocument,
    pointer: string,
    value: unknown,
    resource: Resource,
    depth: number,
  ): Place {
    const place: Place = {
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
    document.places.set(pointer, place);
    return place;
  }

  /** The resource that begins at a schema with an `$id` of its own, or the one around it. */
  function resourceAt(document: SchemaDocument, pointer: string, value: unknown, outer: Resource): Resource {
    if (!isPlainObject(value) || typeof value["$id"] !== "string") return outer;
    if (outer.draft === "draft-07" && typeof value["$ref"] === "string") return outer;
    const { uri, fragment } = splitFragment(value["$id"]);
    if (uri === "" && fragment !== "") return outer;
    const draft = draftAt(document, pointer, value, outer.draft);
    const resource: Resource = {
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
    const draft = draftOf(named);
    if (draft !== undefined) return draft;
    const taken = nearestDraft(named);
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

  function placeAt(document: SchemaDocument, pointer: string, value: unknown, outer: Resource, depth: number): Place {
    const known = document.places.get(pointer);
    if (known !== undefined) return known;
    const place = newPlace(document, pointer, value, resourceAt(document, pointer, value, outer), depth);
    if (
      place.resource.draft === "draft-07" &&
      isPlainObject(value) &&
      typeof value["$id"] === "string" &&
      value["$id"].startsWith("#")
    ) {
      place.resource.anchors.set(value["$id"].slice(1), place);
    }
    return place;
  }

  function childPlace(parent: Place, pointer: string, value: unknown): Place {
    return placeAt(parent.document, pointer, value, parent.resource, parent.depth + 1);
  }

  function addDocument(uri: string, prefix: string, value: unknown, inherited: Draft): Place {
    const document: SchemaDocument = { uri, prefix, value, places: new Map(), explored: false };
    documents.push(document);
    const outer: Resource = {
      uri,
      draft: draftAt(document, "", value, inherited),
      document,
      pointer: "",
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    const place = newPlace(document, "", value, rootResource(document, value, outer), 0);
    // A schema taken out of a file is not that file: a reference to the file's URI means the whole of it.
    if (prefix === "") resources.set(uri, place.resource);
    if (options.dynamicScopes) explore(document);
    return place;
  }

  function rootResource(document: SchemaDocument, value: unknown, outer: Resource): Resource {
    if (!isPlainObject(value) || typeof value["$id"] !== "string") return outer;
    return resourceAt(document, "", { $id: value["$id"] }, outer);
  }

  /** Opens every schema position of a document, so that its `$id`s and anchors are known and its mistakes reported. */
  function explore(document: SchemaDocument): void {
    if (document.explored) return;
    document.explored = true;
    const root = document.places.get("");
    const queue = root === undefined ? [] : [root];
    let limit = 200_000;
    for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
      if (place.depth > MAX_SCHEMA_DEPTH) {
        usable = false;
        report(resolveDiagnostics("too-deep", origin(place), { variant: "written", limit: MAX_SCHEMA_DEPTH }));
        return;
      }
      // The same object at several places is fine (a YAML alias); a few hundred thousand places of few objects are a
      // loop.
      if (document.places.size > limit) {
        if (new Set(Array.from(document.places.values(), ({ value }) => value)).size < limit / 100) {
          usable = false;
          report(resolveDiagnostics("not-json", origin(place), { what: "an object that contains itself" }));
          return;
        }
        limit *= 2;
      }
      const { children, reference, dynamicReference, conjuncts: members } = openPlain(place);
      if (reference !== undefined || dynamicReference !== undefined || members.length > 0) joining.push(place);
      for (let index = children.length - 1; index >= 0; index--) queue.push(children[index] as Place);
    }
  }

  function openPlain(place: Place): Bound {
    place.bound ??= readSchema(place, context);
    return place.bound;
  }

  function open(place: Place): Bound {
    if (place.scoped === undefined) return openPlain(place);
    place.bound ??= scopedBound(openPlain(place.scoped.plain), place.scoped.scope, place.id, inScope);
    return place.bound;
  }

  const scopedPlaces = new Map<string, Place>();
  /** A place as it is reached from a dynamic scope; entering its resource may extend that scope. */
  function inScope(place: Place, scope: DynamicScope): Place {
    if (!options.dynamicScopes) return place;
    const entered = enterResource(scope, place.resource);
    const key = `${place.id}:${entered.key}`;
    let scoped = scopedPlaces.get(key);
    if (scoped === undefined) {
      scoped = scopedPlace(place, entered, nextId++);
      scopedPlaces.set(key, scoped);
    }
    return scoped;
  }

  function conjuncts(bound: Bound): readonly Place[] {
    if (bound.reference === undefined && bound.dynamicReference === undefined) return bound.conjuncts;
    let all = targets.get(bound.id);
    if (all === undefined) {
      const places: Place[] = [];
      if (bound.reference !== undefined) places.push(...referenceTarget(bound.place, bound.reference, "$ref"));
      if (bound.dynamicReference !== undefined) places.push(...dynamicTarget(bound.place, bound.dynamicReference));
      all = [...places, ...bound.conjuncts];
      targets.set(bound.id, all);
    }
    return all;
  }

  function referenceTarget(place: Place, reference: string, keyword: string): readonly Place[] {
    const plain = place.scoped?.plain ?? place;
    const target = find(plain, reference, keyword);
    if (target === undefined) return [];
    return [inScope(target, place.scoped?.scope ?? EMPTY_SCOPE)];
  }

  function dynamicTarget(place: Place, reference: string): readonly Place[] {
    const plain = place.scoped?.plain ?? place;
    const first = find(plain, reference, "$dynamicRef");
    if (first === undefined) return [];
    const name = splitFragment(reference).fragment;
    const bearsAnchor = first.resource.dynamicAnchors.get(name) === first;
    const scope = place.scoped?.scope ?? EMPTY_SCOPE;
    if (!bearsAnchor) return [inScope(first, scope)];
    dynamicReferenceMet = true;
    return [inScope(scope.anchors.get(name) ?? first, scope)];
  }

  function find(place: Place, reference: string, keyword: string): Place | undefined {
    const { uri, fragment } = splitFragment(reference);
    const where = origin(place, childPointer(place.pointer, keyword));
    let resource: Resource | undefined = place.resource;
    if (uri !== "") {
      const absolute = resolveUri(place.resource.uri, uri);
      resource = resources.get(absolute) ?? load(absolute, place.resource.draft);
      if (resource === undefined) {
        report(resolveDiagnostics("reference-not-found", where, { variant: "document", reference, uri: absolute }));
        return undefined;
      }
    }
    const decoded = decodeFragment(fragment);
    const target =
      decoded === undefined
        ? undefined
        : decoded === "" || decoded.startsWith("/")
          ? walk(resource, decoded)
          : anchor(resource, decoded);
    if (target === undefined) {
      const nearest = nearestDefinition(resource, decoded ?? fragment);
      report(
        resolveDiagnostics("reference-not-found", where, {
          variant: "definition",
          reference,
          nearest: nearest === undefined ? [] : [nearest],
        }),
      );
    }
    return target;
  }

  function load(uri: string, draft: Draft): Resource | undefined {
    const value = options.resolve?.(uri);
    if (value !== undefined) return addDocument(uri, "", value, draft).resource;
    // It may be the `$id` of a subschema that nothing has led to yet.
    for (const document of documents) explore(document);
    return resources.get(uri);
  }

  function anchor(resource: Resource, name: string): Place | undefined {
    if (!resource.anchors.has(name)) explore(resource.document);
    return resource.anchors.get(name);
  }

  /** Follows a JSON Pointer from a resource's root, minding the `$id`s on the way. */
  function walk(from: Resource, pointer: string): Place | undefined {
    const { document } = from;
    const known = document.places.get(from.pointer + pointer);
    if (known !== undefined) return known;
    let at = from.pointer;
    let value: unknown = document.places.get(from.pointer)?.value;
    let resource = from;
    let depth = document.places.get(from.pointer)?.depth ?? 0;
    let position: Position = "schema";
    for (const key of pointerKeys(pointer)) {
      const next: unknown =
        isPlainObject(value) || Array.isArray(value)
          ? Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : undefined
          : undefined;
      if (next === undefined) return undefined;
      at = childPointer(at, key);
      position =
        position === "schema"
          ? positionBelow(resource.draft, key, next)
          : position === "container"
            ? "schema"
            : "elsewhere";
      if (position === "schema") {
        resource = document.places.get(at)?.resource ?? resourceAt(document, at, next, resource);
      }
      value = next;
      depth++;
    }
    return placeAt(document, at, value, resource, depth);
  }

  const rootPlace = addDocument(options.baseUri, options.pointer, schema, options.draft);
  const { document } = rootPlace;
  explore(document);
  // A broken reference is an error even where nothing uses it.
  const own = joining.slice();
  for (const place of own) conjuncts(openPlain(place));

  const anything: Place = { ...rootPlace, id: 0, value: true, bound: undefined };

  return {
    anything,
    root: inScope(rootPlace, EMPTY_SCOPE),
    diagnostics,
    needsDynamicScopes: () => dynamicReferenceMet && !options.dynamicScopes,
    isUsable: () => usable,
    joining: own,
    open,
    conjuncts,
    origin,
    report,
  };
}

function origin(place: Place, pointer = place.pointer): Origin {
  return { uri: place.document.uri, pointer: place.document.prefix + pointer };
}
