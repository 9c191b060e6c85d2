import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../../compiler/src/model/json-pointer.js";
import { ownMember } from "../../../../compiler/src/model/own.js";
import type { ImportSource } from "./import-source.js";

export interface SourceFaults {
  within(document: LoadedDocument, pointer: string): readonly Diagnostic[];
  /** Returns the diagnostics outside the values at some pointers of the source's own document. */
  outside(pointers: readonly string[]): readonly Diagnostic[];
}

/** Indexes the faults of a source. Its other documents have none: they are read as a whole or not at all. */
export function faultsOf({ document: own, faults = [] }: ImportSource): SourceFaults {
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

/** Pointers of referable definitions, each of which is imported or refused separately. */
export function definitionPointers({ value }: LoadedDocument): readonly string[] {
  return [["components", "schemas"], ["definitions"], ["$defs"]].flatMap((path) => {
    let stock: unknown = value;
    for (const key of path) stock = ownMember(stock, key);
    return isObject(stock) ? Object.keys(stock).map((name) => `/${path.join("/")}/${escapeToken(name)}`) : [];
  });
}
