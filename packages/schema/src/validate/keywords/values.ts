import { fail } from "../check.js";
import { argument, listArgument, type Keyword, type KeywordTable } from "../compiler.js";
import { exact, joined } from "../describe.js";
import { JsonValueSet } from "../equality.js";

const anyOfValues: Keyword<unknown> = (site) => {
  const values = site.keyword === "const" ? [argument(site)] : listArgument(site);
  const allowed = new JsonValueSet();
  for (const value of values) allowed.add(value);
  return (value, run) => {
    if (allowed.has(value)) return true;
    if (run.findings === undefined) return false;
    const words = joined(values.map(exact), "or");
    return fail(run, site, value, values.length === 1 ? words : `one of ${words}`);
  };
};

/** Keywords that name the values allowed. */
export const valueKeywords: KeywordTable<unknown> = new Map([
  ["enum", anyOfValues],
  ["const", anyOfValues],
]);
