import { existsSync } from "node:fs";
import { join } from "node:path";
import { TOOLS, type Outside } from "./outside-folder.testing.js";
import { COMPILERS, printSettings, type Compiler, type SettingsName } from "./tsconfigs.js";

/**
 * Type-checks a project under several settings, and gives the errors by settings: "" if there are none. The project may
 * lie in another folder for some settings.
 */
export async function findTypeErrors(
  outside: Outside,
  project: string | ((name: SettingsName) => string),
  compiler: Compiler,
  names: readonly SettingsName[],
): Promise<ReadonlyMap<SettingsName, string>> {
  const paths = names.map((name) => {
    const folder = typeof project === "string" ? project : project(name);
    const file = `tsconfig.${compiler}.${name}.json`;
    outside.write(folder, { [file]: printSettings(name, compiler) });
    return join(folder, file);
  });
  const home = join(TOOLS, COMPILERS[compiler]);
  const errors: string[] = [];
  if (existsSync(join(home, "lib/typescript.js"))) {
    const child = join(import.meta.dirname, "type-check.js");
    const { out } = await outside.run(".", process.execPath, [child, COMPILERS[compiler], ...paths]);
    errors.push(...(JSON.parse(out) as readonly string[]));
  } else {
    for (const path of paths) {
      errors.push((await outside.run(".", process.execPath, [join(home, "bin/tsc"), "-p", path])).out);
    }
  }
  return new Map(names.map((name, index) => [name, errors[index] ?? "not checked"]));
}
