import type { ASTNode } from "@marcbachmann/cel-js";
import { mostItems, type InputType } from "./input-type.js";
import { refuse } from "../model/refusal.js";

/** Most rounds that loops inside each other may take together. */
const MOST_ROUNDS = 100_000;

/**
 * The rounds of a loop over the list at `place`, inside loops of `rounds`. One loop costs what its list is long, so it
 * needs no bound; a loop inside a loop does, or the time would grow with a power of the input.
 */
export function roundsOf(node: ASTNode, type: InputType, rounds: number | undefined): number {
  const own = mostItems(type);
  if (rounds !== undefined && rounds * own > MOST_ROUNDS) {
    refuse(node, { variant: "nested-loops", limit: MOST_ROUNDS });
  }
  return (rounds ?? 1) * own;
}
