/** Computes when first asked, and never again. */
export function once<Value>(compute: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: compute() }).value;
}

/**
 * A package that is loaded when it is first used: what few runs need, no run should wait for at its start. For code
 * that cannot wait itself, since a phase is a plain function; elsewhere `await import` does the same. The package must
 * have a form for `require`.
 */
export function libraryOnDemand<Library>(name: string): () => Library {
  return once(() => {
    const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("module");
    if (node === undefined) throw new Error(`${name} can be loaded in Node only.`);
    return node.createRequire(import.meta.url)(name) as Library;
  });
}
