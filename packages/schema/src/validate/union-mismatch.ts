import { fail, findingsOf, type Check, type Finding, type Run, type Site } from "./check.js";
import { joined } from "./describe.js";

/**
 * Reports a value that no branch of a union takes, by the branch that was most likely meant and not by all of them: a
 * branch whose type or constant the value misses is passed over for one that it only fails inside; of these, the one with
 * the fewest findings. Where every branch misses in the same place, one finding names all that would do there.
 */
export function describeMismatch(run: Run, site: Site, value: unknown, branches: readonly Check[]): false {
  if (run.findings === undefined) return false;
  const attempts = branches.map((branch) => findingsOf(branch, value, run)).filter((found) => found.length > 0);
  const closeness = Math.min(...attempts.map(missOf));
  const nearest = attempts.filter((found) => missOf(found) === closeness);
  const [best] = nearest.toSorted((one, other) => one.length - other.length);
  if (best === undefined) return fail(run, site, value, "what one of the alternatives allows");

  const misses = nearest.map((found) => decisive(found, closeness));
  const [first] = misses;
  if (closeness === INSIDE || first === undefined || misses.some((miss) => miss?.pointer !== first.pointer)) {
    run.findings.push(...best.slice(0, run.maxErrors - run.findings.length));
    return false;
  }
  const expected = joined([...new Set(misses.map((miss) => miss?.expected ?? ""))], "or");
  run.findings.push({
    ...first,
    keyword: misses.length === 1 ? first.keyword : site.keyword,
    schemaPointer: misses.length === 1 ? first.schemaPointer : `${site.pointer}/${site.keyword}`,
    expected,
    predicate: `must be ${expected}; you sent ${first.received}`,
  });
  return false;
}

const INSIDE = 0;
const CONSTANT = 1;
const WHOLE = 2;

/** How badly a branch was missed: only inside, by a constant that tells branches apart, or as a whole. */
function missOf(found: readonly Finding[]): number {
  if (decisive(found, WHOLE) !== undefined) return WHOLE;
  return decisive(found, CONSTANT) === undefined ? INSIDE : CONSTANT;
}

function decisive(found: readonly Finding[], miss: number): Finding | undefined {
  return miss === WHOLE
    ? found.find(({ pointer, keyword }) => pointer === "" && /^(?:type|const|enum)$/.test(keyword))
    : found.find(({ pointer, keyword }) => /^\/[^/]*$/.test(pointer) && /^(?:const|enum)$/.test(keyword));
}
