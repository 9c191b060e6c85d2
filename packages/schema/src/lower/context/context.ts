import type { Codec } from "../../codec/codec.js";
import type { Severity } from "../../diagnostics/diagnostic.js";
import type { Dialect } from "../../dialects/definition/dialect.js";
import type { Keyword, KeywordAction } from "../../dialects/definition/keyword-table.js";
import type { SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import type { Resolve } from "../../vocabulary/disjoint.js";
import { resolverOf } from "./references.js";

/**
 * A lowered node and the shape change of its values. Where a function gives `undefined` instead, no value can stand
 * there.
 */
export interface Lowered {
  readonly schema: SchemaObject;
  readonly codec: Codec | undefined;
}

/** A constraint that was not carried, before its place and a witness are looked up. */
export interface LostConstraint {
  readonly node: object;
  readonly keyword: string;
  readonly direction: "widened" | "narrowed";
  readonly words?: string;
}

/** A finding, before its place is looked up. */
export interface Problem {
  readonly node: object;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

/** What one run of `lower` knows and collects. */
export interface LoweringContext {
  readonly dialect: Dialect;
  readonly allowNarrowing: boolean;
  /** `$defs` of the flat schema. */
  readonly definitions: SchemaMap;
  readonly resolve: Resolve;
  /** The definitions whose values change, as far as an earlier round found out. */
  readonly changing: ReadonlySet<string>;
  readonly losses: LostConstraint[];
  readonly problems: Problem[];
  /** The flat node from which a node was made: for lowered nodes, and for flat ones that a transform put together. */
  readonly origins: Map<object, object>;
  /**
   * Lowered definitions, where the dialect has references; `undefined` while one is being lowered or holds no value.
   */
  readonly loweredDefinitions: Map<string, Lowered | undefined>;
  /** How often each definition is being inlined on the way to the present node. */
  readonly inlining: Map<string, number>;
  /** The flat unions that the present node stands in: a union that comes again was entered through a reference. */
  readonly unions: Set<object>;
  depth: number;
  /** Nodes lowered so far. */
  nodes: number;
}

/** Starts a run. */
export function createLoweringContext(
  dialect: Dialect,
  definitions: SchemaMap,
  allowNarrowing: boolean,
  changing: ReadonlySet<string>,
): LoweringContext {
  return {
    dialect,
    allowNarrowing,
    definitions,
    resolve: resolverOf(definitions),
    changing,
    losses: [],
    problems: [],
    origins: new Map(),
    loweredDefinitions: new Map(),
    inlining: new Map(),
    unions: new Set(),
    depth: 0,
    nodes: 0,
  };
}

/** Remembers that a transform made `node` out of `from`, and gives `node`. */
export function withOrigin(context: LoweringContext, node: SchemaObject, from: object): SchemaObject {
  if (node !== from) context.origins.set(node, from);
  return node;
}

/** The flat node behind a node that was made. */
export function flatNodeOf(context: LoweringContext, node: object): object {
  let current = node;
  for (let from = context.origins.get(current); from !== undefined; from = context.origins.get(current)) {
    current = from;
  }
  return current;
}

/** Reports a constraint that the dialect does not carry. */
export function reportLoss(
  context: LoweringContext,
  node: object,
  keyword: string,
  words?: string,
  direction: "widened" | "narrowed" = "widened",
): void {
  context.losses.push({ node, keyword, direction, ...(words === undefined ? {} : { words }) });
}

/** Reports that the dialect cannot carry the tool at all. */
export function refuse(context: LoweringContext, node: object, code: string, message: string): void {
  context.problems.push({ node, code, severity: "error", message });
}

/** What the dialect does with a keyword at the root or below it. */
export function actionFor(context: LoweringContext, keyword: Keyword, isRoot: boolean): KeywordAction {
  const { keywords, rootKeywords } = context.dialect;
  return (isRoot ? rootKeywords?.[keyword] : undefined) ?? keywords[keyword] ?? "refuse";
}
