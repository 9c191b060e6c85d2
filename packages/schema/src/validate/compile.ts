import { descend, enter, fail, isDone, type Check, type Evaluated, type Run, type Site } from "./checks/check.js";
import {
  isRecord,
  optionalNode,
  siteOf,
  textOf,
  unusable,
  type Compiler,
  type KeywordTable,
} from "./checks/compiler.js";
import { joined } from "./checks/describe.js";
import { anyKind, kindPhrases, kinds, kindsOf } from "./checks/kinds.js";
import { arrayKeywords } from "./keywords/arrays.js";
import { combinationKeywords } from "./keywords/combinations.js";
import { judgeOther, objectKeywords } from "./keywords/objects.js";
import { numberKeywords, stringKeywords, valueKeywords } from "./keywords/scalars.js";
import type { Node } from "./checks/node.js";
import { isResource, resolveReference } from "./reference.js";
import { draftOf } from "../vocabulary/keywords.js";

const MAX_SCHEMA_DEPTH = 500;

export function compile(root: unknown, assertsFormats: boolean, skipsPatterns: boolean): Node {
  const nodes = new Map<unknown, Node>();
  let depth = 0;
  const compiler: Compiler = {
    isDraft07: isDraft07(newNode(root, "")) ?? false,
    assertsFormats,
    skipsPatterns,
    isUndecided: false,
    targetOf(site) {
      const { schema, pointer } = resolveReference(root, site);
      return compiler.nodeOf(schema, pointer);
    },
    nodeOf(schema, pointer) {
      const known = nodes.get(schema);
      if (known !== undefined && schema !== false) return known;
      const node = newNode(schema, pointer);
      nodes.set(schema, node);
      depth += 1;
      if (depth > MAX_SCHEMA_DEPTH) throw unusable(siteOf(node, ""), `is nested over ${MAX_SCHEMA_DEPTH} schemas deep`);
      if (typeof schema !== "boolean") node.check = checkOf(node, schema, compiler);
      depth -= 1;
      return node;
    },
  };
  return compiler.nodeOf(root, "");
}

/** Creates a node before its keywords are compiled; complete for `true` and `false`. */
function newNode(schema: unknown, pointer: string): Node {
  const node: Node = {
    schema: isRecord(schema) ? schema : {},
    pointer,
    check: (value, run) =>
      schema === true || fail(run, siteOf(node, ""), value, "absent", { predicate: "is not allowed" }),
    types: schema === false ? 0 : anyKind,
    properties: new Map(),
    fills: [],
    patterns: [],
    prefix: [],
    all: [],
    unions: [],
    others: [],
  };
  return node;
}

function checkOf(node: Node, schema: unknown, compiler: Compiler): Check {
  if (!isRecord(schema)) throw unusable({ node, keyword: "", argument: schema }, "must be a schema");
  // In draft-07 nothing beside a `$ref` counts.
  const isReference = compiler.isDraft07 && siteOf(node, "$ref").argument !== undefined;
  if (!isReference) refuseOtherScopes(node, compiler);
  const keywords = isReference ? ["$ref"] : Object.keys(schema);
  const checksIn = <Value>(table: KeywordTable<Value>): readonly Check<Value>[] => {
    const checks: Check<Value>[] = [];
    for (const keyword of keywords) {
      const check = Object.hasOwn(table, keyword) ? table[keyword]?.(siteOf(node, keyword), compiler) : undefined;
      if (check !== undefined) checks.push(check);
    }
    return checks;
  };

  const typeSite = siteOf(node, "type");
  if (!isReference && typeSite.argument !== undefined) node.types = typesOf(typeSite);
  const fallback = siteOf(node, "default");
  if (fallback.argument !== undefined) {
    if (kindsOf(fallback.argument) === 0) throw unusable(fallback, "must be JSON");
    node.fill = () => JSON.parse(JSON.stringify(fallback.argument)) as unknown;
  }
  const forAll = [...checksIn(valueKeywords), ...checksIn(combinationKeywords)];
  const strings = [...checksIn(stringKeywords), ...forAll];
  const numbers = [...checksIn(numberKeywords), ...forAll];
  const arrays = [...checksIn(arrayKeywords), ...forAll];
  const objects = [...checksIn(objectKeywords), ...forAll];
  const { types } = node;

  const check: Check = (value, run, evaluated) => {
    if ((types & kindsOf(value)) === 0) {
      const expected = run.findings && (types === anyKind ? "JSON" : joined(kindPhrases(types), "or"));
      return expected !== undefined && fail(run, typeSite, value, expected);
    }
    if (typeof value === "string") return every(strings, value, run, evaluated);
    if (typeof value === "number") return every(numbers, value, run, evaluated);
    if (Array.isArray(value)) return every(arrays, value, run, evaluated);
    return isRecord(value) ? every(objects, value, run, evaluated) : every(forAll, value, run, evaluated);
  };
  const complete = isReference ? check : withUnevaluated(check, node, compiler);
  return (value, run, evaluated) => {
    enter(run);
    const valid = complete(value, run, evaluated);
    run.depth -= 1;
    return valid;
  };
}

function every<Value>(checks: readonly Check<Value>[], value: Value, run: Run, evaluated?: Evaluated): boolean {
  let valid = true;
  for (const check of checks) {
    valid = check(value, run, evaluated) && valid;
    if (!valid && isDone(run)) return false;
  }
  return valid;
}

function typesOf(site: Site): number {
  let types = 0;
  for (const name of Array.isArray(site.argument) ? (site.argument as readonly unknown[]) : [site.argument]) {
    if (typeof name !== "string" || !Object.hasOwn(kinds, name)) throw unusable(site, "must name types of JSON Schema");
    types |= kinds[name as keyof typeof kinds];
  }
  if (types === 0) throw unusable(site, "must name a type");
  return types;
}

/** Applies `unevaluated*` to what is left when everything else at its location has passed. */
function withUnevaluated(check: Check, node: Node, compiler: Compiler): Check {
  const ofItems = optionalNode(node, "unevaluatedItems", compiler);
  const ofMembers = optionalNode(node, "unevaluatedProperties", compiler);
  if ((ofItems ?? ofMembers) === undefined || compiler.isDraft07) return check;
  const site = siteOf(node, "unevaluatedProperties");
  return (value, run, outer) => {
    const evaluated: Evaluated = new Set();
    let valid = check(value, run, evaluated);
    if (!valid || compiler.isUndecided) return valid;
    if (ofItems !== undefined && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        valid = (evaluated.has(index) || descend(ofItems, item, index, run)) && valid;
        if (!valid && isDone(run)) return false;
        evaluated.add(index);
      }
    } else if (ofMembers !== undefined && isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        valid = (evaluated.has(name) || member === undefined || judgeOther(ofMembers, site, value, name, run)) && valid;
        if (!valid && isDone(run)) return false;
        evaluated.add(name);
      }
    }
    if (outer !== undefined) for (const part of evaluated) outer.add(part);
    return valid;
  };
}

/** Refuses words that change what other words mean, in ways that only `flatten` follows. */
function refuseOtherScopes(node: Node, { isDraft07: draft07 }: Compiler): void {
  const recursive = siteOf(node, "$recursiveRef");
  if (recursive.argument !== undefined) throw unusable(recursive, "needs a dynamic scope: flatten the schema first");
  if (node.pointer === "") return;
  if (isResource(node.schema)) throw unusable(siteOf(node, "$id"), "begins another resource: flatten the schema first");
  if ((isDraft07(node) ?? draft07) !== draft07) {
    throw unusable(siteOf(node, "$schema"), "names another draft than the root: flatten the schema first");
  }
}

/** True if `$schema` names draft-07, false if 2020-12; `undefined` if it is absent. */
function isDraft07(node: Node): boolean | undefined {
  const site = siteOf(node, "$schema");
  if (site.argument === undefined) return undefined;
  const draft = draftOf(textOf(site));
  if (draft === undefined) throw unusable(site, "must name draft 2020-12 or draft-07");
  return draft === "draft-07";
}
