import { descend, fail, holds, isDone, type Check } from "../check.js";
import {
  argument,
  beside,
  countArgument,
  schemaArgument,
  schemaListArgument,
  unusable,
  type Keyword,
  type KeywordTable,
} from "../compiler.js";
import { JsonValueSet } from "../equality.js";

type Items = readonly unknown[];

const items = (count: number): string => (count === 1 ? "1 item" : `${count} items`);

const minItems: Keyword<Items> = (site) => {
  const limit = countArgument(site);
  return (value, run) => value.length >= limit || fail(run, site, value, `an array of at least ${items(limit)}`);
};

const maxItems: Keyword<Items> = (site) => {
  const limit = countArgument(site);
  return (value, run) => value.length <= limit || fail(run, site, value, `an array of at most ${items(limit)}`);
};

const uniqueItems: Keyword<Items> = (site) => {
  const wanted = argument(site);
  if (typeof wanted !== "boolean") throw unusable(site, "must be true or false");
  if (!wanted) return undefined;
  return (value, run) => {
    const found = new JsonValueSet();
    const again = value.findIndex((item) => !found.add(item));
    if (again === -1) return true;
    return fail(run, site, value, "an array without equal items", {
      received: `an array whose item ${again} equals an earlier one`,
    });
  };
};

/**
 * `prefixItems` and what follows it, by the words of both drafts: `items` as a list is draft-07's `prefixItems`, and then
 * `additionalItems` is its `items`.
 */
const itemChecks: Keyword<Items> = (site, compiler) => {
  const oldStyle = Array.isArray(argument(site, "items"));
  const prefixSite = beside(site, oldStyle ? "items" : "prefixItems");
  const restSite = beside(site, oldStyle ? "additionalItems" : "items");
  const hasPrefix = argument(prefixSite) !== undefined && (oldStyle || compiler.draft === "2020-12");
  const prefix = hasPrefix ? schemaListArgument(prefixSite, compiler) : [];
  const rest = argument(restSite) === undefined ? undefined : schemaArgument(restSite, compiler);
  const most = prefix.length;
  const closed = argument(restSite) === false;

  return (value, run, evaluated) => {
    let valid = true;
    const end = rest === undefined ? Math.min(most, value.length) : value.length;
    if (closed && value.length > most) {
      fail(run, restSite, value, `an array of at most ${items(most)}`);
      return false;
    }
    for (let index = 0; index < end; index += 1) {
      const check = prefix[index] ?? rest;
      if (check !== undefined && !descend(check, value[index], index, run)) {
        if (isDone(run)) return false;
        valid = false;
      }
      evaluated?.add(index);
    }
    return valid;
  };
};

/** One check for several keywords: made at the first of them that stands in the schema. */
function together(names: readonly string[], keyword: Keyword<Items>): Keyword<Items> {
  return (site, compiler) =>
    names.find((name) => argument(site, name) !== undefined) === site.keyword ? keyword(site, compiler) : undefined;
}

const contains: Keyword<Items> = (site, compiler) => {
  const check = schemaArgument(site, compiler);
  const least = boundOfContains("minContains") ?? 1;
  const most = boundOfContains("maxContains") ?? Infinity;
  const floor = beside(site, argument(site, "minContains") === undefined ? "contains" : "minContains");
  const what = `that ${least === 1 ? "matches" : "match"} the schema at ${site.pointer}/contains`;

  function boundOfContains(name: string): number | undefined {
    const absent = compiler.draft === "draft-07" || argument(site, name) === undefined;
    return absent ? undefined : countArgument(beside(site, name));
  }

  return (value, run, evaluated) => {
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!holds(check, item, run)) continue;
      count += 1;
      evaluated?.add(index);
      if (evaluated === undefined && count >= least && most === Infinity) return true;
    }
    if (count < least) {
      return fail(run, floor, value, `an array with at least ${items(least)} ${what}`, {
        received: `an array of ${items(value.length)}, ${count} of which match`,
      });
    }
    if (count <= most || compiler.skipsPatterns) return true;
    return fail(run, beside(site, "maxContains"), value, `an array with at most ${items(most)} ${what}`, {
      received: `an array of ${items(value.length)}, ${count} of which match`,
    });
  };
};

/** The check of `unevaluatedItems`, run after all that may evaluate an item. */
export const unevaluatedItems: Keyword<Items> = (site, compiler) => {
  const check: Check = schemaArgument(site, compiler);
  return (value, run, evaluated) => {
    let valid = true;
    for (const [index, item] of value.entries()) {
      if (evaluated?.has(index)) continue;
      valid = descend(check, item, index, run) && valid;
      if (!valid && isDone(run)) return false;
      evaluated?.add(index);
    }
    return valid;
  };
};

const itemWords = ["prefixItems", "items", "additionalItems"];

/** Keywords that judge arrays, without `unevaluatedItems`. */
export const arrayKeywords: KeywordTable<Items> = new Map([
  ["minItems", minItems],
  ["maxItems", maxItems],
  ["uniqueItems", uniqueItems],
  ["contains", contains],
  ...itemWords.map((word) => [word, together(itemWords, itemChecks)] as const),
]);
