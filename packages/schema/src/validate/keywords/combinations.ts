import { accepts, fail, isDone, type Site } from "../check.js";
import {
  nodeAt,
  nodesAt,
  optionalNode,
  readElsewhere,
  unusable,
  type Compiler,
  type Keyword,
  type KeywordTable,
} from "../compiler.js";
import { exact } from "../describe.js";
import type { UntypedKeyword } from "../../vocabulary/keywords.js";
import type { Node } from "../node.js";
import { reportMismatch } from "../union-mismatch.js";

function someNodes(site: Site, compiler: Compiler): readonly Node[] {
  const nodes = nodesAt(site, compiler);
  if (nodes.length === 0) throw unusable(site, "must hold a schema");
  return nodes;
}

const union: Keyword<unknown> = (site, compiler) => {
  const branches = someNodes(site, compiler);
  site.node.unions.push(branches);
  return (value, run, evaluated) => {
    const isExclusive = site.keyword === "oneOf" && !compiler.isUndecided;
    const matches: number[] = [];
    for (const [index, branch] of branches.entries()) {
      if (!accepts(branch, value, run, evaluated)) continue;
      matches.push(index + 1);
      // What is evaluated is known only once all branches are tried.
      if (isExclusive ? matches.length > 1 : evaluated === undefined) break;
    }
    if (matches.length === 0) return reportMismatch(run, site, value, branches);
    if (matches.length === 1 || !isExclusive) return true;
    return fail(run, site, value, `what exactly one of ${branches.length} alternatives allows`, {
      received: `what both ${matches.join(" and ")} allow`,
    });
  };
};

/** The other keywords that judge values of every type. */
export const combinationKeywords: KeywordTable<unknown, Exclude<UntypedKeyword, "enum" | "const">> = {
  type: readElsewhere,
  $ref(site, compiler) {
    const target = compiler.targetOf(site);
    site.node.all.push(target);
    return (value, run, evaluated) => target.check(value, run, evaluated);
  },
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
    const part = nodeAt(site, compiler);
    return (value, run) =>
      compiler.isUndecided ||
      !accepts(part, value, run) ||
      (run.findings !== undefined &&
        fail(run, site, value, `something that ${exact(site.argument)} does not describe`));
  },
  if(site, compiler) {
    const { node } = site;
    const condition = nodeAt(site, compiler);
    const whenMet = optionalNode(node, "then", compiler);
    const otherwise = optionalNode(node, "else", compiler);
    for (const part of [condition, whenMet, otherwise]) if (part !== undefined) node.others.push(part);
    return (value, run, evaluated) => {
      if (compiler.isUndecided) return true;
      const part = accepts(condition, value, run, evaluated) ? whenMet : otherwise;
      return part === undefined || part.check(value, run, evaluated);
    };
  },
  then: readElsewhere,
  else: readElsewhere,
  $dynamicRef(site) {
    throw unusable(site, "needs a dynamic scope: flatten the schema first");
  },
};
