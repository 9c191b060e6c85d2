import { createRequire } from "node:module";
import { once } from "./once.js";

/**
 * A package that is loaded when it is first used: what few runs need, no run should wait for at its start. For code
 * that cannot wait itself, since a phase is a plain function; elsewhere `await import` does the same. The package must
 * have a form for `require`.
 */
export function libraryOnDemand<Library>(name: string): () => Library {
  return once(() => createRequire(import.meta.url)(name) as Library);
}
