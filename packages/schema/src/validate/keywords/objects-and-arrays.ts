import {
  accepts,
  descend,
  fail,
  collectFindings,
  isDone,
  type Check,
  type RecordValue,
  type Run,
  type Site,
  type CompiledNode,
} from "../checks/check.js";
import {
  readEntries,
  readNames,
  compileNodeAt,
  compileOptionalNode,
  compilePattern,
  readElsewhere,
  findSite,
  type KeywordCompiler,
  type KeywordCompilers,
  readCount,
  compileNodesAt,
  refuse,
} from "../checks/compiler.js";
import { print, join, printQuantity } from "../checks/describe.js";
import { findNearestName } from "@hasp/base/diagnostics";
import type { ValidationKeywordOf } from "../../vocabulary/keywords.js";
import { compileSizeLimit } from "./scalars.js";
import { appendToPointer } from "@hasp/base/json";
import { createEqualityKey } from "../checks/equality.js";

type ArrayValue = readonly unknown[];

const countItems = (value: ArrayValue): number => value.length;

const anArray = (size: string): string => `an array of ${size}`;

/**
 * `prefixItems` and what follows it, in the words of both drafts: `items` as a list is draft-07's `prefixItems`, and
 * then `additionalItems` is its `items`.
 */
const items: KeywordCompiler<ArrayValue> = ({ node, keyword }, compiler) => {
  const isTuple = Array.isArray(findSite(node, "items").argument);
  const prefixWord = isTuple ? "items" : "prefixItems";
  const restWord = isTuple ? "additionalItems" : "items";
  const hasPrefix = findSite(node, prefixWord).argument !== undefined && (isTuple || !compiler.isDraft07);
  if (keyword !== (hasPrefix ? prefixWord : restWord)) return undefined;
  const prefix = hasPrefix ? compileNodesAt(findSite(node, prefixWord), compiler) : [];
  const rest = compileOptionalNode(node, restWord, compiler);
  const restSite = findSite(node, restWord);
  node.prefix = prefix;
  if (rest !== undefined) node.rest = rest;

  return (value, run, evaluated) => {
    if (restSite.argument === false && value.length > prefix.length) {
      return fail(run, restSite, value, anArray(`at most ${printQuantity(prefix.length, "item")}`));
    }
    let valid = true;
    for (const [index, item] of value.entries()) {
      const part = index < prefix.length ? prefix[index] : rest;
      if (part === undefined) break;
      valid = descend(part, item, index, run) && valid;
      if (!valid && isDone(run)) return false;
      evaluated?.add(index);
    }
    return valid;
  };
};

const contains: KeywordCompiler<ArrayValue> = (site, compiler) => {
  const part = compileNodeAt(site, compiler);
  const bound = (word: string, otherwise: number): number => {
    const limit = findSite(site.node, word);
    return limit.argument === undefined || compiler.isDraft07 ? otherwise : readCount(limit);
  };
  const least = bound("minContains", 1);
  const most = bound("maxContains", Infinity);

  return (value, run, evaluated) => {
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!accepts(part, item, run)) continue;
      count += 1;
      if (count >= least && most === Infinity && evaluated === undefined) return true;
      evaluated?.add(index);
    }
    if (count >= least && (count <= most || compiler.isUndecided)) return true;
    const blamed = findSite(site.node, count < least ? "minContains" : "maxContains");
    const size = count < least ? `at least ${least}` : `at most ${most}`;
    const expected = `${anArray("items")}, ${size} of them as ${part.pointer} in the schema asks`;
    const received = `${anArray(printQuantity(value.length, "item"))}, ${count} of them so`;
    return fail(run, blamed.argument === undefined ? site : blamed, value, expected, { received });
  };
};

/** Keywords that apply to arrays; `unevaluatedItems` comes after them all. */
export const arrayKeywords: KeywordCompilers<ArrayValue, ValidationKeywordOf<"array">> = {
  minItems: compileSizeLimit("least", countItems, anArray, "item"),
  maxItems: compileSizeLimit("most", countItems, anArray, "item"),
  uniqueItems(site) {
    if (typeof site.argument !== "boolean") throw refuse(site, "must be true or false");
    if (!site.argument) return undefined;
    return (value, run) => {
      const met = new Set<unknown>();
      const again = value.findIndex((item) => met.size === met.add(createEqualityKey(item)).size);
      return again < 0 || fail(run, site, value, anArray("different items"), { received: `item ${again} twice` });
    };
  },
  prefixItems: items,
  items,
  additionalItems: readElsewhere,
  contains,
  minContains: readElsewhere,
  maxContains: readElsewhere,
  unevaluatedItems: readElsewhere,
};

// A member that is `undefined` is absent, as it is for JSON.stringify.
const isPresent = (value: RecordValue, name: string): boolean =>
  Object.hasOwn(value, name) && value[name] !== undefined;
const namesIn = (value: RecordValue): readonly string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined);

const countMembers = (value: RecordValue): number => namesIn(value).length;
const anObject = (size: string): string => `an object of ${size}`;

function requireNames(site: Site, names: readonly string[], reason: string): Check<RecordValue> {
  // A copy: an engine reads a frozen list slowly.
  const required = [...names];
  return (value, run) => {
    let valid = true;
    for (const name of required) {
      if (isPresent(value, name)) continue;
      valid = fail(run, site, value, "present", {
        pointer: appendToPointer("", name),
        received: "nothing",
        predicate: `is missing; it is required${reason}`,
      });
      if (isDone(run)) return false;
    }
    return valid;
  };
}

/** The three keywords that bind one property to another: names or a schema apply where it is present. */
const dependents: KeywordCompiler<RecordValue> = (site, compiler) => {
  const { node, keyword } = site;
  const isOld = keyword === "dependencies";
  if (compiler.isDraft07 && !isOld) return undefined;
  const checks = readEntries(site).map(([name, dependent]): readonly [string, Check<RecordValue>] => {
    if (keyword === "dependentRequired" || (isOld && Array.isArray(dependent))) {
      return [name, requireNames(site, readNames({ ...site, argument: dependent }), ` beside ${print(name)}`)];
    }
    const part = compileNodeAt(site, compiler, dependent, name);
    node.others.push(part);
    return [name, (value, run, evaluated) => part.check(value, run, evaluated)];
  });
  return (value, run, evaluated) => {
    let valid = true;
    for (const [name, check] of checks) {
      valid = (!isPresent(value, name) || check(value, run, evaluated)) && valid;
      if (!valid && isDone(run)) return false;
    }
    return valid;
  };
};

/** `properties`, `patternProperties` and `additionalProperties` in one loop over the members. */
const members: KeywordCompiler<RecordValue> = ({ node, keyword }, compiler) => {
  const words = ["properties", "patternProperties", "additionalProperties"];
  if (keyword !== words.find((word) => findSite(node, word).argument !== undefined)) return undefined;
  const nodesIn = (site: Site): readonly (readonly [string, CompiledNode])[] =>
    readEntries(site).map(([name, schema]) => [name, compileNodeAt(site, compiler, schema, name)]);

  const properties = new Map(nodesIn(findSite(node, "properties")));
  const patternSite = findSite(node, "patternProperties");
  const byPattern = nodesIn(patternSite);
  const additional = compileOptionalNode(node, "additionalProperties", compiler);
  const additionalSite = findSite(node, "additionalProperties");
  // Nobody can tell which members are additional if patterns are not run.
  const isPartial = compiler.skipsPatterns && byPattern.length > 0;
  compiler.isUndecided ||= isPartial;
  const patterns = isPartial
    ? []
    : byPattern.map(([text, part]) => [compilePattern(text, patternSite, compiler), part] as const);
  const others = isPartial ? undefined : additional;
  node.properties = properties;
  node.fills = [...properties].flatMap(([name, { fill }]) => (fill === undefined ? [] : [[name, fill] as const]));
  node.patterns = patterns;
  if (others !== undefined) node.additional = others;

  return (value, run, evaluated) => {
    let valid = true;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      const property = properties.get(name);
      let isKnown = property !== undefined;
      if (property !== undefined) valid = descend(property, member, name, run) && valid;
      for (const [pattern, part] of patterns) {
        if (!pattern.test(name)) continue;
        isKnown = true;
        valid = descend(part, member, name, run) && valid;
      }
      if (!isKnown && others !== undefined) {
        isKnown = true;
        valid = judgeOther(others, additionalSite, value, name, run) && valid;
      }
      if (!valid && isDone(run)) return false;
      if (isKnown) evaluated?.add(name);
    }
    return valid;
  };
};

export function judgeOther(part: CompiledNode, site: Site, value: RecordValue, name: string, run: Run): boolean {
  if (site.argument !== false) return descend(part, value[name], name, run);
  if (run.findings === undefined) return false;
  // Another branch of a union may declare the name.
  const known = [...declaredNames(site.node)].filter((candidate) => candidate !== name);
  const nearest = findNearestName(
    name,
    known.filter((candidate) => !isPresent(value, candidate)),
  );
  const allowed = join(known.map(print)) || "no property";
  return fail(run, site, value, known.length === 0 ? "absent" : `one of ${allowed}`, {
    pointer: appendToPointer("", name),
    received: print(name),
    predicate: `is not allowed; ${nearest === undefined ? `allowed here: ${allowed}` : `did you mean ${print(nearest)}?`}`,
  });
}

function declaredNames(
  node: CompiledNode,
  visited: Set<CompiledNode> = new Set(),
  names: Set<string> = new Set(),
): Set<string> {
  if (visited.has(node)) return names;
  visited.add(node);
  for (const name of node.properties.keys()) names.add(name);
  for (const part of [...node.all, ...node.unions.flat(), ...node.others]) declaredNames(part, visited, names);
  return names;
}

/** Keywords that apply to objects; `unevaluatedProperties` comes after them all. */
export const objectKeywords: KeywordCompilers<RecordValue, ValidationKeywordOf<"object">> = {
  minProperties: compileSizeLimit("least", countMembers, anObject, "property"),
  maxProperties: compileSizeLimit("most", countMembers, anObject, "property"),
  required(site) {
    site.node.required = readNames(site);
    return requireNames(site, site.node.required, "");
  },
  dependentRequired: dependents,
  dependentSchemas: dependents,
  dependencies: dependents,
  propertyNames(site, compiler) {
    const part = compileNodeAt(site, compiler);
    return (value, run) => {
      let valid = true;
      for (const name of namesIn(value)) {
        if (accepts(part, name, run)) continue;
        const expected = `named ${collectFindings(part, name, run)[0]?.expected ?? "otherwise"}`;
        valid = fail(run, site, name, expected, { pointer: appendToPointer("", name) });
        if (isDone(run)) return false;
      }
      return valid;
    };
  },
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  unevaluatedProperties: readElsewhere,
};
