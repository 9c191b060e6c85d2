import { createRequire } from "node:module";
import { join } from "node:path";
import { errorCode } from "../fs/entries.js";

/** Lists the packages that a project's modules can import. None of them is loaded. */
export function importablePackages(root: string, names: readonly string[]): readonly string[] {
  const { resolve } = createRequire(join(root, "package.json"));
  return names.filter((name) => {
    try {
      resolve(name);
    } catch (error) {
      // A package with only `import` conditions is found, and refused.
      return errorCode(error) !== "MODULE_NOT_FOUND";
    }
    return true;
  });
}
