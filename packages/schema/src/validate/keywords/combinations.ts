import {
  accepts,
  fail,
  MAX_NESTED,
  isDone,
  type Run,
  type Site,
  collectFindings,
  type CheckFinding,
  type CompiledNode,
} from "../checks/check.js";
import {
  compileNodeAt,
  compileNodesAt,
  compileOptionalNode,
  readElsewhere,
  refuse,
  refuseWithout,
  type Compiler,
  type KeywordCompiler,
  type KeywordCompilers,
  type ValidatorParts,
} from "../checks/compiler.js";
import { longFormats } from "../checks/formats.js";
import { print, join } from "../checks/describe.js";
import { ValueMap } from "../checks/equality.js";
import { listKindPhrases, kindsOf } from "../checks/kinds.js";
import type { UntypedKeyword } from "../../vocabulary/keywords.js";

/** Reports a mismatch by the branch most likely meant: the fewest findings, constants and types first. */
function reportMismatch(run: Run, site: Site, value: unknown, branches: readonly CompiledNode[]): false {
  if (run.findings === undefined) return false;
  if (run.mismatches === MAX_NESTED) {
    return fail(run, site, value, `what one of ${branches.length} alternatives allows`);
  }
  run.mismatches += 1;
  const attempts = branches
    .map((branch) => collectFindings(branch, value, run))
    .toSorted((one, other) => missOf(one).rank - missOf(other).rank || one.length - other.length);
  run.mismatches -= 1;
  const [best = []] = attempts;
  const { rank, finding } = missOf(best);
  const rivals = attempts.map(missOf).filter((miss) => miss.rank === rank);
  if (finding === undefined || rivals.some((rival) => rival.finding?.pointer !== finding.pointer)) {
    for (const found of best) if (!isDone(run)) run.findings.push(found);
    return false;
  }
  const expected = join(rivals.map((rival) => rival.finding?.expected ?? ""));
  const { pointer, received } = finding;
  return fail(run, site, finding.value, expected, { pointer, received });
}

/** Ranks how badly a branch was missed: 2 as a whole, 1 by a telling constant, 0 inside. */
function missOf(found: readonly CheckFinding[]): { readonly rank: number; readonly finding?: CheckFinding } {
  const whole = found.find(({ pointer, keyword }) => pointer === "" && /^(?:type|const|enum)$/.test(keyword));
  if (whole !== undefined) return { rank: 2, finding: whole };
  const constant = found.find(({ pointer, keyword }) => /^\/[^/]*$/.test(pointer) && /^(?:const|enum)$/.test(keyword));
  return constant === undefined ? { rank: 0 } : { rank: 1, finding: constant };
}

function someNodes(site: Site, compiler: Compiler): readonly CompiledNode[] {
  const nodes = compileNodesAt(site, compiler);
  if (nodes.length === 0) throw refuse(site, "must hold a schema");
  return nodes;
}

const union: KeywordCompiler<unknown> = (site, compiler) => {
  const branches = someNodes(site, compiler);
  site.node.unions.push(branches);
  const listed = branchesByValue(branches, compiler);
  return (value, run, evaluated) => {
    if (listed !== undefined) return judgeByValue(listed, branches, site, value, run);
    const isExclusive = site.keyword === "oneOf" && !compiler.isUndecided;
    const matches: number[] = [];
    for (const [index, branch] of branches.entries()) {
      if (!accepts(branch, value, run, evaluated)) continue;
      matches.push(index + 1);
      // Evaluated parts are known only once all branches are tried.
      if (isExclusive ? matches.length > 1 : evaluated === undefined) break;
    }
    if (matches.length === 0) return reportMismatch(run, site, value, branches);
    if (matches.length === 1 || !isExclusive) return true;
    return failAmbiguous(run, site, value, branches, matches);
  };
};

/** Maps each listed value to the branches that take it; `undefined` if a branch says more than its values. */
function branchesByValue(branches: readonly CompiledNode[], { isChecked }: Compiler): ValueMap<number[]> | undefined {
  const found = new ValueMap<number[]>();
  for (const [index, { schema, values, types }] of branches.entries()) {
    const isList = Object.keys(schema).every((name) => /^(?:const|enum|type)$/.test(name) || !isChecked(name));
    if (values === undefined || !isList) return undefined;
    for (const value of values) {
      if ((kindsOf(value) & types) === 0) continue;
      const numbers = found.get(value) ?? [];
      if (!numbers.includes(index + 1)) found.set(value, [...numbers, index + 1]);
    }
  }
  return found;
}

function judgeByValue(
  listed: ValueMap<number[]>,
  branches: readonly CompiledNode[],
  site: Site,
  value: unknown,
  run: Run,
): boolean {
  const matches = listed.get(value) ?? [];
  if (matches.length === 1 || (matches.length > 1 && site.keyword === "anyOf")) return true;
  if (matches.length > 1) return failAmbiguous(run, site, value, branches, matches.slice(0, 2));
  if (run.findings === undefined) return false;
  const kinds = kindsOf(value);
  const expected = branches.map(({ types, values = [] }) =>
    (types & kinds) === 0 ? join(listKindPhrases(types)) : join(values.map(print)) || "absent",
  );
  return fail(run, site, value, join(expected));
}

function failAmbiguous(
  run: Run,
  site: Site,
  value: unknown,
  branches: readonly CompiledNode[],
  matches: readonly number[],
): false {
  return fail(run, site, value, `what exactly one of ${branches.length} alternatives allows`, {
    received: `what both ${matches.join(" and ")} allow`,
  });
}

type PointingKeyword = "type" | "$ref" | "$dynamicRef";
type CombiningKeyword = Exclude<UntypedKeyword, "enum" | "const" | PointingKeyword>;

export const referenceKeywords: KeywordCompilers<unknown, PointingKeyword> = {
  type: readElsewhere,
  $ref(site, compiler) {
    const target = compiler.targetOf(site);
    site.node.all.push(target);
    return (value, run, evaluated) => target.check(value, run, evaluated);
  },
  $dynamicRef(site) {
    throw refuse(site, "needs a dynamic scope: flatten the schema first");
  },
};

/** The combinations of a validator without them. */
export const noCombinations: KeywordCompilers<unknown, CombiningKeyword> = {
  allOf: refuseWithout,
  anyOf: refuseWithout,
  oneOf: refuseWithout,
  not: refuseWithout,
  if: refuseWithout,
  then: readElsewhere,
  else: readElsewhere,
};

const combinationKeywords: KeywordCompilers<unknown, CombiningKeyword> = {
  allOf(site, compiler) {
    const parts = someNodes(site, compiler);
    site.node.all.push(...parts);
    return (value, run, evaluated) => {
      let valid = true;
      for (const part of parts) {
        valid = part.check(value, run, evaluated) && valid;
        if (!valid && isDone(run)) return false;
      }
      return valid;
    };
  },
  anyOf: union,
  oneOf: union,
  not(site, compiler) {
    const part = compileNodeAt(site, compiler);
    return (value, run) =>
      compiler.isUndecided ||
      !accepts(part, value, run) ||
      (run.findings !== undefined &&
        fail(run, site, value, `something that ${print(site.argument)} does not describe`));
  },
  if(site, compiler) {
    const { node } = site;
    const condition = compileNodeAt(site, compiler);
    const whenMet = compileOptionalNode(node, "then", compiler);
    const otherwise = compileOptionalNode(node, "else", compiler);
    for (const part of [condition, whenMet, otherwise]) if (part !== undefined) node.others.push(part);
    return (value, run, evaluated) => {
      if (compiler.isUndecided) return true;
      const part = accepts(condition, value, run, evaluated) ? whenMet : otherwise;
      return part === undefined || part.check(value, run, evaluated);
    };
  },
  then: readElsewhere,
  else: readElsewhere,
};

/** Keywords and formats that many schemas lack, with much code behind them. */
export const allKeywords: NonNullable<ValidatorParts["keywords"]> = {
  combinations: combinationKeywords,
  formats: longFormats,
};
