import { once } from "./once.js";
import { own } from "./json-value.js";

/**
 * Returns an object with the `known` members; the `others` are computed together once one of them is read. Results that
 * the cache restores need it: a build after one changed spec takes twice as long if it computes all of them.
 */
export function lazily<Whole extends object, Known extends Partial<Whole>>(
  known: Known,
  others: Readonly<Record<Exclude<keyof Whole, keyof Known>, boolean>>,
  compute: () => Whole,
): Whole {
  const value = { ...known };
  Object.defineProperty(value, WHOLE, { value: once(compute) });
  for (const [key, isThere] of Object.entries(others)) {
    if (isThere) Object.defineProperty(value, key, own(GETTERS, key) ?? createGetter(key));
  }
  return value as unknown as Whole;
}

/**
 * Returns a faster {@link lazily} for objects of one kind. V8 takes ten times as long to define own getters, but inherited
 * ones are missing in a copy that `...` makes.
 */
export function inherited<Whole extends object, Known extends keyof Whole>(
  others: readonly (Exclude<keyof Whole, Known> & string)[],
): (known: Pick<Whole, Known>, compute: () => Whole) => Whole {
  const getters = {};
  for (const key of others) Object.defineProperty(getters, key, createGetter(key));
  return (known, compute) => ({ __proto__: getters, ...known, [WHOLE]: once(compute) }) as unknown as Whole;
}

const WHOLE = Symbol("whole");

/** The getters that thousands of objects share. To V8, an object with a getter of its own is a dictionary: slow and large. */
const GETTERS: { readonly [key: string]: PropertyDescriptor } = Object.fromEntries(
  ["bound", "checks", "effects", "flags", "input", "locate", "nodes", "output", "rules"].map((key) => [
    key,
    createGetter(key),
  ]),
);

function createGetter(key: string): PropertyDescriptor {
  return {
    enumerable: true,
    get(this: { readonly [WHOLE]: () => { readonly [key: string]: unknown } }) {
      return this[WHOLE]()[key];
    },
  };
}

/** Loads a package on first use, for synchronous code that cannot `await import`. The package must support `require`. */
export function loadOnDemand<Library>(name: string): () => Library {
  return once(() => {
    const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("module");
    if (node === undefined) throw new Error(`${name} can be loaded in Node only.`);
    return node.createRequire(import.meta.url)(name) as Library;
  });
}
