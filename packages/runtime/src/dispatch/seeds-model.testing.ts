/**
 * A call as older descriptions of dispatchers see it: the finding of each of their phases. Flags and classes that they
 * lack are left out.
 */
export interface SeedCall {
  readonly isKnown: boolean;
  readonly fitsSchema: boolean;
  /** The tool's answer to whether this input may run in parallel. */
  readonly safety: "safe" | "unsafe" | "throws";
  readonly fitsMeaning: boolean;
  readonly isPermitted: boolean;
  readonly isBlocked: boolean;
  readonly fails: boolean;
}

/** The phase that ends a call, or `done`. */
export type SeedEnd = "lookup" | "schema" | "semantic" | "permission" | "guard" | "execute" | "done";

/** The outcome of a turn according to these descriptions. */
export interface SeedTurn {
  /** The indexes of the calls, batch by batch. */
  readonly batches: readonly (readonly number[])[];
  readonly ends: readonly SeedEnd[];
}

/** Derives the turn: consecutive safe calls together, every other call alone, each ended by its first fault. */
export function seedTurn(calls: readonly SeedCall[]): SeedTurn {
  const batches: number[][] = [];
  let joins = false;
  for (const [index, call] of calls.entries()) {
    const isSafe = call.isKnown && call.fitsSchema && call.safety === "safe";
    if (isSafe && joins) batches.at(-1)?.push(index);
    else batches.push([index]);
    joins = isSafe;
  }
  return { batches, ends: calls.map(endOf) };
}

function endOf(call: SeedCall): SeedEnd {
  if (!call.isKnown) return "lookup";
  if (!call.fitsSchema) return "schema";
  if (!call.fitsMeaning) return "semantic";
  if (!call.isPermitted) return "permission";
  if (call.isBlocked) return "guard";
  return call.fails ? "execute" : "done";
}
