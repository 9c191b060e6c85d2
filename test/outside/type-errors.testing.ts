import { existsSync } from "node:fs";
import { join } from "node:path";
import { TOOLS, type Outside } from "./outside-folder.testing.js";
import { COMPILERS, printSettings, type Compiler, type SettingsName } from "./tsconfigs.js";

/** Type-checks a project under several settings, and gives the errors by settings: "" if there are none. */
export async function findTypeErrors(
  outside: Outside,
  folder: string,
  compiler: Compiler,
  names: readonly SettingsName[],
): Promise<ReadonlyMap<SettingsName, string>> {
  const paths = names.map((name) => `tsconfig.${compiler}.${name}.json`);
  const texts = names.map((name) => printSettings(name, compiler));
  outside.write(folder, Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""])));
  const home = join(TOOLS, COMPILERS[compiler]);
  const errors: string[] = [];
  if (existsSync(join(home, "lib/typescript.js"))) {
    const child = join(import.meta.dirname, "type-check.js");
    const { out } = await outside.run(folder, process.execPath, [child, COMPILERS[compiler], ...paths]);
    errors.push(...(JSON.parse(out) as readonly string[]));
  } else {
    for (const path of paths) {
      errors.push((await outside.run(folder, process.execPath, [join(home, "bin/tsc"), "-p", path])).out);
    }
  }
  return new Map(names.map((name, index) => [name, errors[index] ?? "not checked"]));
}
