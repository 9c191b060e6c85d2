import type { Codec } from "../codec/codec.js";
import type { Severity } from "../diagnostics/diagnostic.js";
import type { Dialect } from "../dialects/definition/dialect.js";
import type { Keyword, KeywordAction } from "../dialects/definition/keyword-table.js";
import type { SchemaMap, SchemaObject } from "../vocabulary/json-schema.js";
import type { Resolve } from "../vocabulary/disjoint.js";
import { resolverOf } from "./keywords/references.js";
import type { SharedForms } from "./types.js";

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
export interface Lowering {
  readonly dialect: Dialect;
  readonly allowNarrowing: boolean;
  /** `$defs` of the flat schema. */
  readonly definitions: SchemaMap;
  readonly resolve: Resolve;
  readonly sharedForms: SharedForms | undefined;
  /** The definitions whose values change, as far as an earlier round found out. */
  readonly changing: ReadonlySet<string>;
  readonly losses: LostConstraint[];
  readonly problems: Problem[];
  /** The flat node from which a node was made: for lowered nodes, and for flat ones that a transform put together. */
  readonly madeFrom: Map<object, object>;
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
export function createLowering(
  dialect: Dialect,
  definitions: SchemaMap,
  allowNarrowing: boolean,
  changing: ReadonlySet<string>,
  sharedForms: SharedForms | undefined,
): Lowering {
  return {
    dialect,
    allowNarrowing,
    definitions,
    resolve: resolverOf(definitions),
    sharedForms,
    changing,
    losses: [],
    problems: [],
    madeFrom: new Map(),
    loweredDefinitions: new Map(),
    inlining: new Map(),
    unions: new Set(),
    depth: 0,
    nodes: 0,
  };
}

/** Remembers that a transform made `node` out of `from`, and gives `node`. */
export function made(lowering: Lowering, node: SchemaObject, from: object): SchemaObject {
  if (node !== from) lowering.madeFrom.set(node, from);
  return node;
}

/** The flat node behind a node that was made. */
export function flatNodeOf(lowering: Lowering, node: object): object {
  let current = lowering.sharedForms?.sourceOf(node) ?? node;
  for (let from = lowering.madeFrom.get(current); from !== undefined; from = lowering.madeFrom.get(current)) {
    current = from;
  }
  return current;
}

/** Reports a constraint that the dialect does not carry. */
export function lose(
  lowering: Lowering,
  node: object,
  keyword: string,
  words?: string,
  direction: "widened" | "narrowed" = "widened",
): void {
  lowering.losses.push({ node, keyword, direction, ...(words === undefined ? {} : { words }) });
}

/** Reports that the dialect cannot carry the tool at all. */
export function refuse(lowering: Lowering, node: object, code: string, message: string): void {
  lowering.problems.push({ node, code, severity: "error", message });
}

/** What the dialect does with a keyword at the root or below it. */
export function actionFor(lowering: Lowering, keyword: Keyword, isRoot: boolean): KeywordAction {
  const { keywords, rootKeywords } = lowering.dialect;
  return (isRoot ? rootKeywords?.[keyword] : undefined) ?? keywords[keyword] ?? "refuse";
}
