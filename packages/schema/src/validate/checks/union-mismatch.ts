import { fail, findingsOf, isDone, type Finding, type Run, type Site } from "./check.js";
import { joined } from "./describe.js";
import type { Node } from "./node.js";

/** Limits the unions within one another whose branches are tried for their findings; the effort multiplies. */
const MAX_NESTED = 4;

/**
 * Reports a value that no branch of a union takes, by the branch that was most likely meant and not by all of them: one
 * that the value fails only inside before one whose constant it misses, and that before one whose type it misses; of
 * these, the one with the fewest findings. Where every branch is missed at the same place, one finding names all that
 * would do.
 */
export function reportMismatch(run: Run, site: Site, value: unknown, branches: readonly Node[]): false {
  if (run.findings === undefined) return false;
  if (run.mismatches === MAX_NESTED) {
    return fail(run, site, value, `what one of ${branches.length} alternatives allows`);
  }
  run.mismatches += 1;
  const attempts = branches
    .map((branch) => findingsOf(branch, value, run))
    .toSorted((one, other) => missOf(one).rank - missOf(other).rank || one.length - other.length);
  run.mismatches -= 1;
  const [best = []] = attempts;
  const { rank, finding } = missOf(best);
  const rivals = attempts.map(missOf).filter((miss) => miss.rank === rank);
  if (finding === undefined || rivals.some((rival) => rival.finding?.pointer !== finding.pointer)) {
    for (const found of best) if (!isDone(run)) run.findings.push(found);
    return false;
  }
  const expected = joined(
    rivals.map((rival) => rival.finding?.expected ?? ""),
    "or",
  );
  const { pointer, received } = finding;
  return fail(run, site, finding.value, expected, { pointer, received });
}

/**
 * Ranks how badly a branch was missed, and by what: 2 as a whole, 1 by a constant that tells branches apart, 0 inside.
 */
function missOf(found: readonly Finding[]): { readonly rank: number; readonly finding?: Finding } {
  const whole = found.find(({ pointer, keyword }) => pointer === "" && /^(?:type|const|enum)$/.test(keyword));
  if (whole !== undefined) return { rank: 2, finding: whole };
  const constant = found.find(({ pointer, keyword }) => /^\/[^/]*$/.test(pointer) && /^(?:const|enum)$/.test(keyword));
  return constant === undefined ? { rank: 0 } : { rank: 1, finding: constant };
}
