import type { Diagnostic } from "../diagnostics/diagnostic.js";

/** Compares one member of something in two versions. */
export type CompareMember<Whole> = (before: Whole, after: Whole) => readonly Diagnostic[];

/** A comparer for every member of a format, so that none is left out by omission. */
export type Members<Format, Whole> = { readonly [member in keyof Required<Format>]: CompareMember<Whole> };

/** Says why a member is compared nowhere, or where else. */
export function ignored(_reason: string): () => readonly Diagnostic[] {
  return () => [];
}
