// `pnpm gen`: writes what is generated from our own sources. `--check` writes nothing and fails where a file differs.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const header = "// Written by `pnpm gen` from the files of this folder: adding one is adding a file.\n";

/** The modules of a folder that export one member of a collection, by file name: `{ file, name }`. */
function members(folder, pattern) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts") && !/\.(test|testing)\.ts$/.test(file))
    .toSorted((left, right) => (basename(left, ".ts") < basename(right, ".ts") ? -1 : 1))
    .flatMap((file) => {
      const name = pattern.exec(readFileSync(join(root, folder, file), "utf8"))?.[1];
      return name === undefined ? [] : [{ file: basename(file, ".ts"), name }];
    });
}

const imports = (found) => found.map(({ file, name }) => `import { ${name} } from "./${file}.js";\n`).join("");
const quoted = (file) => (/^[a-z][a-z0-9]*$/.test(file) ? file : JSON.stringify(file));

const generated = {
  "packages/hasp/src/rules/index.ts": () => {
    const found = members("packages/hasp/src/rules", /^export const (\w+): Rule = defineRule\(/m);
    return `${header}${imports(found)}import type { Rule } from "./rule.js";

/** Every rule that hasp knows, in the order of their files. */
export const rules: readonly Rule[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
  },
  "packages/hasp/src/emitters/index.ts": () => {
    const found = members("packages/hasp/src/emitters", /^export const (\w+): Emitter = /m);
    return `${header}import type { Emitter } from "./emitter.js";
${imports(found)}
/** Every emitter, in the order of their files. */
export const emitters: readonly Emitter[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
  },
  "packages/schema/src/dialects/all.ts": () => {
    const found = members("packages/schema/src/dialects", /^export const (\w+): Dialect = /m);
    return `${header}${imports(found)}import type { Dialect, DialectId } from "./dialect.js";

/** Every dialect that hasp knows, by id. */
export const dialects: { readonly [id in DialectId]: Dialect } = Object.freeze({
${found.map(({ file, name }) => (file === name ? `  ${name},\n` : `  ${quoted(file)}: ${name},\n`)).join("")}});
`;
  },
};

const check = process.argv.includes("--check");
const stale = [];
for (const [path, make] of Object.entries(generated)) {
  const text = make();
  let current;
  try {
    current = readFileSync(join(root, path), "utf8");
  } catch {
    current = undefined;
  }
  if (current === text) continue;
  stale.push(path);
  if (!check) writeFileSync(join(root, path), text);
}
for (const path of stale) process.stdout.write(`${check ? "stale" : "written"}: ${path}\n`);
if (check && stale.length > 0) {
  process.stdout.write("Run `pnpm gen` and commit what it writes.\n");
  process.exitCode = 1;
}
