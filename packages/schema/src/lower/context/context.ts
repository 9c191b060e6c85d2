import { dropUndefined } from "@hasp/base/json";
import type { Codec } from "../../codec/codec.js";
import type { LowerFinding } from "./diagnostics.js";
import type { Dialect } from "../../dialects/definition/dialect.js";
import type { Keyword, KeywordAction } from "../../dialects/definition/keyword-table.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import type { Resolve } from "../../vocabulary/disjoint.js";
import { createResolver } from "./references.js";

/** A lowered node and the codec of its values. Functions return `undefined` instead if no value is valid. */
export interface LoweredNode {
  readonly schema: SchemaObject;
  readonly codec: Codec | undefined;
}

/** A lost constraint, before its position and a witness are known. */
export interface LostConstraint {
  readonly node: object;
  readonly keyword: string;
  readonly direction: "widened" | "narrowed";
  readonly words?: string;
}

interface Problem {
  readonly node: object;
  readonly finding: LowerFinding;
}

/** The recursive steps: a file about some keywords calls them for what is inside, and imports neither. */
interface LoweringSteps {
  /** Lowers a node below the root; `undefined` if no value is valid or the tool was refused. `owner` holds a boolean. */
  lowerNode(context: LoweringContext, schema: JsonSchema, owner: object): LoweredNode | undefined;
  /** Lowers a node by the handlers of its own keywords; `undefined` if no value is valid. */
  lowerKeywords(context: LoweringContext, flat: SchemaObject, isRoot: boolean): LoweredNode | undefined;
}

export interface LoweringContext {
  readonly steps: LoweringSteps;
  readonly dialect: Dialect;
  readonly allowNarrowing: boolean;
  readonly definitions: SchemaMap;
  readonly resolve: Resolve;
  /** Lists the definitions that no finite value satisfies; only references ask for them. */
  readonly findUninhabited: () => ReadonlySet<string>;
  /** The definitions whose values change, as found in earlier rounds. */
  readonly changing: ReadonlySet<string>;
  readonly losses: LostConstraint[];
  readonly problems: Problem[];
  /** The flat node behind each lowered node, and behind each flat node that a transform built. */
  readonly origins: Map<object, object>;
  /** Lowered definitions by name; `undefined` while one is being lowered, or if no value is valid. */
  readonly loweredDefinitions: Map<string, LoweredNode | undefined>;
  /** The number of times that each definition has been inlined on the path to the current node. */
  readonly inlining: Map<string, number>;
  /** The nodes of each flat schema that is copied as it is, and 0 for others; counted on demand. */
  readonly unchanged: Map<object, number>;
  /** The flat unions around the current node. A union that occurs again was entered through a reference. */
  readonly unions: Set<object>;
  depth: number;
  nodes: number;
}

export function createLoweringContext(
  steps: LoweringSteps,
  dialect: Dialect,
  { definitions, findUninhabited }: Pick<LoweringContext, "definitions" | "findUninhabited">,
  allowNarrowing: boolean,
  changing: ReadonlySet<string>,
): LoweringContext {
  return {
    steps,
    dialect,
    allowNarrowing,
    definitions,
    resolve: createResolver(definitions),
    findUninhabited,
    changing,
    losses: [],
    problems: [],
    origins: new Map(),
    loweredDefinitions: new Map(),
    inlining: new Map(),
    unchanged: new Map(),
    unions: new Set(),
    depth: 0,
    nodes: 0,
  };
}

export function withOrigin(context: LoweringContext, node: SchemaObject, from: object): SchemaObject {
  if (node !== from) context.origins.set(node, from);
  return node;
}

export function findFlatNode({ origins }: Pick<LoweringContext, "origins">, node: object): object {
  let current = node;
  for (let from = origins.get(current); from !== undefined; from = origins.get(current)) {
    current = from;
  }
  return current;
}

export function reportLoss(
  context: LoweringContext,
  node: object,
  keyword: string,
  words?: string,
  direction: "widened" | "narrowed" = "widened",
): void {
  context.losses.push({ node, keyword, direction, ...dropUndefined({ words }) });
}

/** Reports that the dialect cannot express the tool at all. */
export function refuse(context: LoweringContext, node: object, ...finding: LowerFinding): void {
  context.problems.push({ node, finding });
}

export function findAction(context: LoweringContext, keyword: Keyword, isRoot: boolean): KeywordAction {
  const { keywords, rootKeywords } = context.dialect;
  return (isRoot ? rootKeywords?.[keyword] : undefined) ?? keywords[keyword] ?? "refuse";
}
