import { isObject } from "./json-value.js";

/** Replaces repeated subschemas by references to `$defs`. The same values stay valid. */
export function withDefinitions<Schema>(
  whole: boolean | { readonly [keyword: string]: unknown },
  definitions: { readonly [name: string]: unknown },
): Schema {
  const names = new Map<unknown, string>(Object.entries(definitions).map(([name, node]) => [node, name]));

  function referred(value: unknown): unknown {
    const name = names.get(value);
    return name === undefined ? rewritten(value) : { $ref: `#/$defs/${name}` };
  }

  function rewritten(value: unknown): unknown {
    if (!isObject(value)) return value;
    const node = Object.entries(value).map(([keyword, held]): [string, unknown] => {
      if (keyword === "properties" && isObject(held)) {
        return [keyword, Object.fromEntries(Object.entries(held).map(([key, inner]) => [key, referred(inner)]))];
      }
      if (keyword === "items" || keyword === "additionalProperties") return [keyword, referred(held)];
      return [keyword, keyword === "anyOf" && Array.isArray(held) ? held.map(referred) : held];
    });
    return Object.fromEntries(node);
  }

  const $defs = Object.fromEntries(Object.entries(definitions).map(([name, node]) => [name, rewritten(node)]));
  return { $defs, ...(rewritten(whole) as object) } as Schema;
}
