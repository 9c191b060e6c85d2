import { accepts, descend, fail, isDone } from "../checks/check.js";
import {
  countOf,
  nodeAt,
  nodesAt,
  optionalNode,
  readElsewhere,
  siteOf,
  unusable,
  type Keyword,
  type KeywordTable,
} from "../checks/compiler.js";
import { quantity } from "../checks/describe.js";
import { equalityKey } from "../checks/equality.js";
import type { ValidationKeywordOf } from "../../vocabulary/keywords.js";
import { sizeLimit } from "./scalars.js";

type Items = readonly unknown[];

const sizeOf = (value: Items): number => value.length;
const anArray = (size: string): string => `an array of ${size}`;

/**
 * `prefixItems` and what follows it, in the words of both drafts: `items` as a list is draft-07's `prefixItems`, and
 * then `additionalItems` is its `items`.
 */
const items: Keyword<Items> = ({ node, keyword }, compiler) => {
  const isTuple = Array.isArray(siteOf(node, "items").argument);
  const prefixWord = isTuple ? "items" : "prefixItems";
  const restWord = isTuple ? "additionalItems" : "items";
  const hasPrefix = siteOf(node, prefixWord).argument !== undefined && (isTuple || !compiler.isDraft07);
  // One check for all: made where the first of them stands.
  if (keyword !== (hasPrefix ? prefixWord : restWord)) return undefined;
  const prefix = hasPrefix ? nodesAt(siteOf(node, prefixWord), compiler) : [];
  const rest = optionalNode(node, restWord, compiler);
  const restSite = siteOf(node, restWord);
  node.prefix = prefix;
  if (rest !== undefined) node.rest = rest;

  return (value, run, evaluated) => {
    if (restSite.argument === false && value.length > prefix.length) {
      return fail(run, restSite, value, anArray(`at most ${quantity(prefix.length, "item")}`));
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

const contains: Keyword<Items> = (site, compiler) => {
  const part = nodeAt(site, compiler);
  const bound = (word: string, otherwise: number): number => {
    const limit = siteOf(site.node, word);
    return limit.argument === undefined || compiler.isDraft07 ? otherwise : countOf(limit);
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
    const blamed = siteOf(site.node, count < least ? "minContains" : "maxContains");
    const size = count < least ? `at least ${least}` : `at most ${most}`;
    const expected = `${anArray("items")}, ${size} of them as ${part.pointer} in the schema asks`;
    const received = `${anArray(quantity(value.length, "item"))}, ${count} of them so`;
    return fail(run, blamed.argument === undefined ? site : blamed, value, expected, { received });
  };
};

/** Keywords that apply to arrays; `unevaluatedItems` comes after them all. */
export const arrayKeywords: KeywordTable<Items, ValidationKeywordOf<"array">> = {
  minItems: sizeLimit("least", sizeOf, anArray, "item"),
  maxItems: sizeLimit("most", sizeOf, anArray, "item"),
  uniqueItems(site) {
    if (typeof site.argument !== "boolean") throw unusable(site, "must be true or false");
    if (!site.argument) return undefined;
    return (value, run) => {
      const met = new Set<unknown>();
      const again = value.findIndex((item) => met.size === met.add(equalityKey(item)).size);
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
