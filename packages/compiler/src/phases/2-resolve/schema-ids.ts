import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../model/document.js";
import { toDocumentUri } from "../../model/document-references.js";
import { visitSchemas } from "../../model/schemas.js";
import { findValueAt } from "@hasp/base/json";

/** An `$id` that changes the base of the references below it. */
export interface BaseId {
  readonly id: string;
  readonly pointer: string;
}

/** Collects the `$id`s on the way from the root of a schema to a location in it, outermost first. */
export function findIdsAround(document: LoadedDocument, root: string, pointer: string): readonly BaseId[] {
  const ids: BaseId[] = [];
  let [value, at] = [findValueAt(document.value, root) ?? null, root];
  const note = (): void => {
    const id = findValueAt(value, "/$id");
    if (isBase(id)) ids.push({ id, pointer: at });
  };
  note();
  for (const token of pointer.slice(root.length).split("/").slice(1)) {
    [value, at] = [findValueAt(value, `/${token}`) ?? null, `${at}/${token}`];
    note();
  }
  return ids;
}

/** The possible targets of a reference, as absolute URIs without fragments. */
export interface Readings {
  readonly byFile: string;
  readonly byIds: string;
  /** A target that differs from the one by the file, if any: by all `$id`s, or by one that may or may not count. */
  readonly other: string | undefined;
}

export function resolveReadings(reference: string, document: LoadedDocument, ids: readonly BaseId[]): Readings {
  const file = toDocumentUri(document.uri);
  const byFile = absolute(reference, file);
  if (ids.length === 0) return { byFile, byIds: byFile, other: undefined };
  const byIds = absolute(reference, baseOf(file, ids));
  // Drafts and neighbouring keywords decide if an `$id` counts. If none alone changes the target, all together do not.
  const all = [byIds, ...ids.map(({ id }) => absolute(reference, absolute(id, file)))];
  return { byFile, byIds, other: all.find((reading) => reading !== byFile) };
}

/** Finds the part of a schema whose `$id` gives it this address; `undefined` if there is none or if it is uncertain. */
export function placeOfAddress(
  address: string,
  document: LoadedDocument,
  root: string,
  ids: readonly BaseId[],
): string | undefined {
  const file = toDocumentUri(document.uri);
  const counting = new Set<string>();
  let place: string | undefined;
  visitSchemas(findValueAt(document.value, root) ?? null, root, (schema, pointer) => {
    if (!isBase(schema["$id"])) return;
    // Draft-07 ignores an `$id` next to a reference.
    if (!Object.hasOwn(schema, "$ref")) counting.add(pointer);
    if (baseOf(file, findIdsAround(document, root, pointer)) === address) place ??= pointer;
  });
  return ids.length < 2 || ids.every(({ pointer }) => counting.has(pointer)) ? place : undefined;
}

/** True if an `$id` is a base. In older drafts, `$id: "#name"` only names a place. */
function isBase(id: JsonValue | undefined): id is string {
  return typeof id === "string" && !id.startsWith("#");
}

function baseOf(file: string, ids: readonly BaseId[]): string {
  return ids.reduce((base, { id }) => absolute(id, base), file);
}

/** Resolves a reference without its fragment to an absolute URI. */
function absolute(reference: string, base: string): string {
  const [address = ""] = reference.split("#");
  if (address === "") return base;
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}
