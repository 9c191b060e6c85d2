import type { Diagnostic } from "../diagnostics/diagnostic.js";

export type CompareMember<Whole> = (before: Whole, after: Whole) => readonly Diagnostic[];

/** Requires a comparer for every member of a format, so that none is forgotten. */
export type Members<Format, Whole> = { readonly [member in keyof Required<Format>]: CompareMember<Whole> };

/** Documents why a member is not compared here. */
export function ignored(_reason: string): () => readonly Diagnostic[] {
  return () => [];
}
