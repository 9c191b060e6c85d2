import { fail, holds, isDone, type Check, type Evaluated, type Run, type Site } from "../check.js";
import {
  argument,
  beside,
  mayHoldPattern,
  schemaArgument,
  schemaListArgument,
  unusable,
  type Compiler,
  type Keyword,
  type KeywordTable,
} from "../compiler.js";
import { exact } from "../describe.js";
import { describeMismatch } from "../union-mismatch.js";

const reference: Keyword<unknown> = (site, compiler) => {
  const { schema, pointer } = compiler.target(argument(site), site);
  return compiler.check(schema, pointer);
};

const allOf: Keyword<unknown> = (site, compiler) => {
  const checks = schemas(site, compiler);
  return (value, run, evaluated) => {
    let valid = true;
    for (const check of checks) {
      valid = check(value, run, evaluated) && valid;
      if (!valid && isDone(run)) return false;
    }
    return valid;
  };
};

const anyOf: Keyword<unknown> = (site, compiler) => {
  const checks = schemas(site, compiler);
  return (value, run, evaluated) =>
    countMatches(checks, value, run, evaluated, evaluated === undefined ? 1 : checks.length) > 0 ||
    describeMismatch(run, site, value, checks);
};

const oneOf: Keyword<unknown> = (site, compiler) => {
  const checks = schemas(site, compiler);
  if (mayHoldPattern(argument(site), compiler)) return anyOf(site, compiler);
  return (value, run, evaluated) => {
    const count = countMatches(checks, value, run, evaluated, 2);
    if (count === 1) return true;
    if (count === 0) return describeMismatch(run, site, value, checks);
    if (run.findings === undefined) return false;
    const matching = checks.flatMap((check, index) => (holds(check, value, run) ? [index + 1] : []));
    return fail(run, site, value, `what exactly one of the ${checks.length} alternatives allows`, {
      received: `what alternatives ${matching.join(" and ")} both allow`,
    });
  };
};

/** How many of the checks hold, counted up to `enough`. */
function countMatches(
  checks: readonly Check[],
  value: unknown,
  run: Run,
  evaluated: Evaluated | undefined,
  enough: number,
): number {
  let count = 0;
  for (const check of checks) {
    const inBranch: Evaluated | undefined = evaluated && new Set();
    if (!holds(check, value, run, inBranch)) continue;
    if (inBranch !== undefined) for (const part of inBranch) evaluated?.add(part);
    count += 1;
    if (count >= enough) break;
  }
  return count;
}

const not: Keyword<unknown> = (site, compiler) => {
  const check = schemaArgument(site, compiler);
  if (mayHoldPattern(argument(site), compiler)) return undefined;
  return (value, run) => {
    if (!holds(check, value, run)) return true;
    if (run.findings === undefined) return false;
    return fail(run, site, value, `something that is not allowed by ${exact(argument(site))}`);
  };
};

const condition: Keyword<unknown> = (site, compiler) => {
  const check = schemaArgument(site, compiler);
  const branch = (word: "then" | "else"): Check | undefined =>
    argument(site, word) === undefined ? undefined : schemaArgument(beside(site, word), compiler);
  const [whenTrue, whenFalse] = [branch("then"), branch("else")];
  if (mayHoldPattern(argument(site), compiler)) return undefined;
  return (value, run, evaluated) => {
    if (whenTrue === undefined && whenFalse === undefined && evaluated === undefined) return true;
    const inCondition: Evaluated | undefined = evaluated && new Set();
    const applies = holds(check, value, run, inCondition);
    if (applies && inCondition !== undefined) for (const part of inCondition) evaluated?.add(part);
    const next = applies ? whenTrue : whenFalse;
    return next === undefined || next(value, run, evaluated);
  };
};

function schemas(site: Site, compiler: Compiler): readonly Check[] {
  const checks = schemaListArgument(site, compiler);
  if (checks.length === 0) throw unusable(site, "must hold at least one schema");
  return checks;
}

/** Keywords that combine schemas over one value. */
export const combinationKeywords: KeywordTable<unknown> = new Map([
  ["$ref", reference],
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
  ["if", condition],
]);
