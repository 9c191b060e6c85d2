import { importedPath } from "../../emitters/base/layout.js";
import type { ImportedName, ReadModule, ReadValue } from "../../typescript/read-module.js";

/** Reads the constant that a module imports from the module of a definition; `undefined` for any other name. */
export type ReadShared = (importing: ReadModule, imported: ImportedName) => ReadValue | undefined;

/** A reader of the constants that the modules of definitions hold, for the modules that import them. */
export function readShared(modules: ReadonlyMap<string, ReadModule>, folder: string): ReadShared {
  const known = new Map<string, ReadValue | undefined>();
  const read: ReadShared = (importing, { from, name }) => {
    const path = importedPath(importing.path, from);
    const key = `${path} ${name}`;
    if (known.has(key)) return known.get(key);
    // A definition that holds itself finds nothing.
    known.set(key, undefined);
    const module = path.startsWith(`${folder}/`) ? modules.get(path) : undefined;
    const value = module?.constant(name);
    if (module === undefined || value === undefined) return undefined;
    const whole = module.resolve(value, (inner) => read(module, inner));
    known.set(key, whole);
    return whole;
  };
  return read;
}
