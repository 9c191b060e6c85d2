import { compileFunction } from "node:vm";
import { ReadCode, type ImportedName, type ReadModule } from "../../typescript/read-module.js";

/**
 * Evaluates a constant of a generated module as it stands there. `imported` gives the values of the names that the
 * module imports; those without one are types. Throws where the module has no such constant, which is a bug in hasp.
 */
export function evaluateConstant(module: ReadModule, name: string, imported: (name: ImportedName) => unknown): unknown {
  const value = module.constant(name);
  if (!(value instanceof ReadCode)) throw new Error(`${module.path} has no constant ${name} that can be run.`);
  const scope = [...module.imports].flatMap(([local, from]) => {
    const found = imported(from);
    return found === undefined ? [] : [[local, found] as const];
  });
  const run = compileFunction(
    `"use strict"; return (${value.text});`,
    scope.map(([local]) => local),
  ) as (...values: readonly unknown[]) => unknown;
  return run(...scope.map(([, found]) => found));
}
