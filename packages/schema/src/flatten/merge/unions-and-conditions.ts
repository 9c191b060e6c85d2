import { TYPE_NAMES, listTypes } from "../../json/type-mask.js";
import type { SchemaNode, Keywords } from "../../resolve/types.js";
import type { JsonSchema, MutableSchema } from "../../vocabulary/json-schema.js";
import { areDisjoint } from "../../vocabulary/disjoint.js";
import type { Union } from "../conjunction/conjunction.js";
import { reportTooManyBranches, type Cause, reportResidual } from "../conjunction/diagnostics.js";
import { listUnionBranches, listBranches, isTrivial, type NodeMerge } from "./merge.js";

type UnionKeyword = Union["keyword"];

const MOST_CAUSES = 8;

interface Product {
  readonly lists: readonly (readonly SchemaNode[])[];
  readonly members: readonly (readonly SchemaNode[])[];
}

/** Multiplies out unions of one kind, also `oneOf`: `(A or B) and (C or D)` has the branches AC, AD, BC, BD. */
export function mergeUnions(merge: NodeMerge): void {
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const unions = distinct(merge.conjunction.unions.filter((union) => union.keyword === keyword));
    const { joined, left } = multiply(merge, keyword, unions);
    if (joined !== undefined) write(merge, keyword, joined, false);
    for (const union of left) write(merge, keyword, union, true);
  }
}

function distinct(unions: readonly Union[]): Union[] {
  const byBranches = new Map<string, Union>();
  for (const union of unions) byBranches.set(union.branches.map(({ id }) => id).join(), union);
  return [...byBranches.values()];
}

function multiply(
  merge: NodeMerge,
  keyword: UnionKeyword,
  unions: readonly Union[],
): { readonly joined: Product | undefined; readonly left: readonly Product[] } {
  let joined: Product | undefined;
  const left: Product[] = [];
  const origins = [];
  let most = 0;
  for (const { branches, part } of unions) {
    const single: Product = {
      lists: [part.keywords[keyword] ?? branches],
      members: branches.map((branch) => [branch]),
    };
    const count = (joined?.members.length ?? 1) * branches.length;
    if (joined === undefined) joined = single;
    else if (count <= merge.branchBudget) {
      joined = { lists: [...joined.lists, ...single.lists], members: product(joined.members, branches) };
    } else {
      left.push(single);
      origins.push(merge.origin(part, keyword));
      most = Math.max(most, count);
    }
  }
  if (origins.length > 0) merge.report(reportTooManyBranches(keyword, most, merge.branchBudget, origins));
  return { joined, left };
}

function product(
  members: readonly (readonly SchemaNode[])[],
  branches: readonly SchemaNode[],
): (readonly SchemaNode[])[] {
  return members.flatMap((member) => branches.map((branch) => member.concat(branch)));
}

function write(merge: NodeMerge, keyword: UnionKeyword, { lists, members }: Product, apart: boolean): void {
  const schemas: JsonSchema[] = [];
  const alive: (readonly SchemaNode[])[] = [];
  const why: Cause[] = [];
  const around = surroundings(merge);
  let agreed = true;
  for (const member of members) {
    const schema = merge.build(member, "branch");
    if (schema === false) {
      // Each branch names its first cause; all causes would grow with every level of unions.
      why.push(...merge.causes().slice(0, 1));
      continue;
    }
    // "A or B or C" may have been nested. A branch that the union's neighbours rule out can never be the one.
    const agreeing = (keyword === "anyOf" ? listBranches(schema) : [schema]).filter(
      (branch) => !areDisjoint(branch, around, nothing),
    );
    if (agreeing.length === 0) {
      agreed = false;
      continue;
    }
    alive.push(member);
    schemas.push(...agreeing);
  }
  const [only] = alive;
  if (only === undefined) {
    const part = merge.parts.find(({ keywords }) => lists.includes(keywords[keyword] ?? []));
    if (part === undefined) return merge.never(why.slice(0, MOST_CAUSES));
    const deliberate = agreed && why.length > 0 && why.every((cause) => cause.deliberate);
    const variant = agreed ? "impossibleBranches" : "disagreeingBranches";
    const cause = merge.because(part, keyword, { variant, keyword });
    return merge.never([
      { ...cause, deliberate },
      ...why.slice(0, MOST_CAUSES).filter((each) => deliberate || !each.deliberate),
    ]);
  }
  const branches = keyword === "anyOf" ? listUnionBranches(schemas) : schemas;
  if (alive.length === 1 || branches.length === 1) return merge.collapseUnion(lists, only);
  if (keyword === "anyOf" && !merge.observed && branches.some((branch) => isTrivial(branch))) return;
  if (apart) merge.residual({ [keyword]: branches });
  else merge.out[keyword] = branches;
}

/** Returns what has been merged so far, as a schema to compare branches with. */
function surroundings({ parts, out, types }: NodeMerge): JsonSchema {
  const listing = parts.find(({ keywords }) => keywords.const !== undefined || keywords.enum !== undefined)?.keywords;
  const type = listTypes(types, TYPE_NAMES);
  return {
    ...out,
    type,
    ...(listing?.const !== undefined
      ? { const: listing.const }
      : listing?.enum !== undefined && { enum: listing.enum }),
  };
}

function nothing(): undefined {
  return undefined;
}

export function mergeConditions(merge: NodeMerge): void {
  mergeDependentSchemas(merge);
  mergeConditionals(merge);
  mergeNegations(merge);
}

function mergeDependentSchemas(merge: NodeMerge): void {
  const dependents = new Map<string, SchemaNode[]>();
  for (const { keywords } of merge.parts) {
    for (const [name, node] of keywords.dependentSchemas ?? []) {
      if (!merge.conjunction.promoted.has(node)) dependents.set(name, [...(dependents.get(name) ?? []), node]);
    }
  }
  const written = [...dependents]
    .map(([name, nodes]): [string, JsonSchema] => [name, merge.build(nodes, "branch")])
    .filter(([, schema]) => merge.observed || !isTrivial(schema));
  if (written.length > 0) merge.out.dependentSchemas = Object.fromEntries(written);
}

/** Keeps one conditional as it is; several go to an `allOf`, since a schema has room for one `if`. */
function mergeConditionals(merge: NodeMerge): void {
  const found = merge.parts.filter(({ keywords }) => keywords.if !== undefined);
  const written = found
    .map(({ keywords }) => buildConditional(merge, keywords))
    .filter((schema) => schema !== undefined);
  const [only] = written;
  if (only === undefined) return;
  if (written.length === 1) {
    Object.assign(merge.out, only);
    return;
  }
  for (const schema of written) merge.residual(schema);
  const origins = found.map((part) => merge.origin(part, "if"));
  merge.report(reportResidual("if", origins));
}

function buildConditional(merge: NodeMerge, keywords: Keywords): MutableSchema | undefined {
  const consequences: (readonly [string, JsonSchema])[] = [];
  for (const keyword of ["then", "else"] as const) {
    const schema = keywords[keyword] && merge.build([keywords[keyword]], "branch");
    if (schema !== undefined && (merge.observed || !isTrivial(schema))) consequences.push([keyword, schema]);
  }
  // A condition without consequences asserts nothing, but what it evaluates may be examined.
  if (consequences.length === 0 && !merge.observed) return undefined;
  return Object.fromEntries([["if", keywords.if && merge.build([keywords.if], "branch")], ...consequences]);
}

function mergeNegations(merge: NodeMerge): void {
  const nodes = [...new Set(merge.parts.flatMap(({ keywords }) => keywords.not ?? []))];
  if (nodes.length === 0) return;
  const schemas = nodes.map((node) => merge.build([node], "test"));
  const index = schemas.findIndex((schema) => isTrivial(schema));
  const part = merge.parts.find(({ keywords }) => keywords.not !== undefined && keywords.not === nodes[index]);
  if (part !== undefined) {
    return merge.never([{ ...merge.because(part, "not", { variant: "excludingEverything" }), deliberate: true }]);
  }
  const excluded = schemas.filter((schema) => schema !== false);
  const branches = excluded.length > 1 ? listUnionBranches(excluded) : excluded;
  const [only] = branches;
  if (only !== undefined) merge.out.not = branches.length === 1 ? only : { anyOf: branches };
}
