import { once } from "../../../runtime/src/tool/callback.js";

export { once };

/** Loads a package on first use, for synchronous code that cannot `await import`. The package must support `require`. */
export function libraryOnDemand<Library>(name: string): () => Library {
  return once(() => {
    const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("module");
    if (node === undefined) throw new Error(`${name} can be loaded in Node only.`);
    return node.createRequire(import.meta.url)(name) as Library;
  });
}
