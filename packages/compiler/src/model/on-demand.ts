import { once } from "../../../runtime/src/tool/callback.js";

export { once };

/**
 * Returns an object with the `known` members; the `others` are computed together once one of them is read. Provider
 * entries need it, which a check never reads: a cold check of 1000 tools takes 15 % longer if it makes them. So do
 * results that the cache restores: a build after one changed spec takes twice as long if it computes all of them.
 */
export function lazily<Whole extends object, Known extends Partial<Whole>>(
  known: Known,
  others: Readonly<Record<Exclude<keyof Whole, keyof Known>, boolean>>,
  compute: () => Whole,
): Whole {
  const whole = once(compute);
  const value = { ...known };
  for (const [key, isThere] of Object.entries(others)) {
    if (isThere === false) continue;
    Object.defineProperty(value, key, { enumerable: true, get: () => whole()[key as keyof Whole] });
  }
  return value as unknown as Whole;
}

/** Loads a package on first use, for synchronous code that cannot `await import`. The package must support `require`. */
export function libraryOnDemand<Library>(name: string): () => Library {
  return once(() => {
    const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("module");
    if (node === undefined) throw new Error(`${name} can be loaded in Node only.`);
    return node.createRequire(import.meta.url)(name) as Library;
  });
}
