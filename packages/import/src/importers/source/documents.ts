import type { JsonValue } from "@hasp/schema";
import { type LoadedDocument, isRemote, resolveReference, toLocalReference } from "@hasp/compiler/model";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { escapeToken, findValueAt, isObject, readOwnMember, readReference } from "@hasp/base/json";
import type { ImportSource } from "./importer.js";

type Followed =
  | { readonly document: LoadedDocument; readonly pointer: string; readonly value: JsonValue }
  | { readonly problem: string };

/** Follows a reference in a document to a file, or to a definition of that document that has its address as `$id`. */
export function followReference(
  reference: string,
  document: LoadedDocument,
  documents: ReadonlyMap<string, LoadedDocument | string>,
): Followed {
  const followed = followToFile(reference, document, documents);
  return "problem" in followed ? (findById(reference, document) ?? followed) : followed;
}

function followToFile(
  reference: string,
  document: LoadedDocument,
  documents: ReadonlyMap<string, LoadedDocument | string>,
): Followed {
  const target = resolveReference(reference, document.uri);
  if (target.kind === "outside") return { problem: "it points outside the folder, where an import may not read" };
  if (target.kind === "name") {
    return { problem: "an import follows references to files and JSON Pointers, not to names" };
  }
  if (target.kind === "document" && isRemote(target.path)) {
    return { problem: "an import does not access the network; save the document next to the source" };
  }
  const found = target.kind === "local" || target.path === document.uri ? document : documents.get(target.path);
  if (found === undefined) return { problem: "there is no such file" };
  if (typeof found === "string") return { problem: found };
  if (target.fragment === undefined) return { problem: 'its percent escapes are broken; write "%" as "%25"' };
  if (target.fragment !== "" && !target.fragment.startsWith("/")) {
    return { problem: "an import follows JSON Pointers, not anchors" };
  }
  const value = findValueAt(found.value, target.fragment);
  return value === undefined
    ? { problem: "it points to nothing" }
    : { document: found, pointer: target.fragment, value };
}

function findById(reference: string, document: LoadedDocument): Followed | undefined {
  const [address = ""] = reference.split("#");
  const inside = readReference(toLocalReference(reference));
  if (address === "" || inside === undefined) return undefined;
  const definition = listDefinitionPointers(document).find(
    (pointer) => readOwnMember(findValueAt(document.value, pointer), "$id") === address,
  );
  if (definition === undefined) return undefined;
  const value = findValueAt(document.value, definition + inside);
  return value === undefined ? undefined : { document, pointer: definition + inside, value };
}

const INEXACT = "load/number-not-exact";

/** True if a fault leaves its document readable: a number was rounded, which is none of a bound that is dropped. */
export function isReadable({ code }: Diagnostic): boolean {
  return code === INEXACT;
}

/** Removes the faults of numbers that the import has dropped. */
export function withoutDropped(faults: readonly Diagnostic[], found: readonly Diagnostic[]): readonly Diagnostic[] {
  const placeOf = ({ location }: Diagnostic): string => `${location?.uri} ${location?.range.start.offset}`;
  const dropped = new Set(found.filter(({ code }) => code === "import/bound-dropped").map(placeOf));
  return faults.filter((fault) => !isReadable(fault) || !dropped.has(placeOf(fault)));
}

export interface SourceFaults {
  within(document: LoadedDocument, pointer: string): readonly Diagnostic[];
  /** Returns the diagnostics outside the values at some pointers of the source's own document. */
  outside(pointers: readonly string[]): readonly Diagnostic[];
}

/** Indexes the faults of a source. Its other documents have none: they are read as a whole or not at all. */
export function indexFaults({ document: own, faults = [] }: ImportSource): SourceFaults {
  const within = (document: LoadedDocument, pointer: string): readonly Diagnostic[] => {
    if (document !== own || faults.length === 0) return [];
    const { start, end } = own.locate(pointer).range;
    return faults.filter(({ location }) => {
      if (location === undefined) return false;
      return location.range.start.offset >= start.offset && location.range.end.offset <= end.offset;
    });
  };
  return {
    within,
    outside(pointers) {
      if (faults.length === 0) return [];
      const inside = new Set(pointers.flatMap((pointer) => within(own, pointer)));
      return faults.filter((fault) => !inside.has(fault));
    },
  };
}

export function listDefinitionPointers({ value }: LoadedDocument): readonly string[] {
  return [["components", "schemas"], ["definitions"], ["$defs"]].flatMap((path) => {
    let stock: unknown = value;
    for (const key of path) stock = readOwnMember(stock, key);
    return isObject(stock) ? Object.keys(stock).map((name) => `/${path.join("/")}/${escapeToken(name)}`) : [];
  });
}
