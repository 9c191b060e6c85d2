// The indexes of folders in which adding one is adding a file.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./root.js";

const header = "// Written by `pnpm gen` from the files of this folder: adding one is adding a file.\n";

/** The indexes by path in the repository. They are made from sources alone, so that a build can follow them. */
export function indexes() {
  return new Map([
    ["packages/hasp/src/rules/index.ts", rulesIndex()],
    ["packages/hasp/src/emitters/index.ts", emittersIndex()],
    ["packages/hasp/src/importers/index.ts", importersIndex()],
    ["packages/hasp/src/reporters/index.ts", reportFormatsIndex()],
    ["packages/schema/src/dialects/all.ts", dialectsIndex()],
    ["packages/schema/src/dialects/provenance.ts", provenanceIndex()],
  ]);
}

function rulesIndex() {
  const found = members("packages/hasp/src/rules", /^export const (\w+): Rule = defineRule\(/m);
  return `${header}${imports(found)}import type { Rule } from "./rule.js";

/** Every rule that hasp knows, in the order of their files. */
export const rules: readonly Rule[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
}

function emittersIndex() {
  const found = members("packages/hasp/src/emitters", /^export const (\w+): Emitter(?:<.*>)? = /m);
  return `${header}import type { Emitter } from "./emitter.js";
${imports(found)}
/** Every emitter, in the order of their files. */
export const emitters: readonly Emitter[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
}

/** A format is loaded only when it is asked for; its file is named like the format. */
function reportFormatsIndex() {
  const found = members("packages/hasp/src/reporters", /^export const (\w+): ReportFormat = /m);
  return `${header}import type { ReportFormat } from "./report.js";

/** A name that \`--format\` takes. */
export type FormatName = ${found.map(({ file }) => JSON.stringify(file)).join(" | ")};

/** Every output format, by its name. */
export const reportFormats: { readonly [name in FormatName]: () => Promise<ReportFormat> } = {
${found.map(({ file, name }) => `  ${key(file)}: async () => (await import("./${file}.js")).${name},\n`).join("")}};
`;
}

/** An importer is loaded only when it is asked for; its file is named like the kind of source that it reads. */
function importersIndex() {
  const found = members("packages/hasp/src/importers", /^export const (\w+): Importer = /m);
  return `${header}import type { Importer } from "./importer.js";

/** A kind of source. */
export type ImportKind = ${found.map(({ file }) => JSON.stringify(file)).join(" | ")};

/** What \`hasp import <kind>\` can read. */
export const importers: { readonly [kind in ImportKind]: () => Promise<Importer> } = {
${found.map(({ file, name }) => `  ${key(file)}: async () => (await import("./${file}.js")).${name},\n`).join("")}};
`;
}

const dialectFiles = () => members("packages/schema/src/dialects", /^export const (\w+): Dialect = /m);

function provenanceIndex() {
  const found = dialectFiles();
  return `${header}${found.map(({ path, name }) => `import { provenance as ${name} } from "./${path}.js";\n`).join("")}import type { DialectId, Provenance } from "./definition/dialect.js";

/** Where the facts of each dialect come from, by its id. Apart from the dialects, so that who lowers does not carry it. */
export const provenance: { readonly [id in DialectId]: Provenance } = {
${byId(found)}};
`;
}

const byId = (found) =>
  found.map(({ file, name }) => (file === name ? `  ${name},\n` : `  ${key(file)}: ${name},\n`)).join("");

function dialectsIndex() {
  const found = dialectFiles();
  return `${header}${imports(found)}import type { Dialect, DialectId } from "./definition/dialect.js";

/** Every dialect that hasp knows, by id. */
export const dialects: { readonly [id in DialectId]: Dialect } = Object.freeze({
${byId(found)}});
`;
}

/** The modules of a folder, at any depth, that export one member of a collection: `{ path, file, name }`, by file. */
function members(folder, form) {
  const files = readdirSync(join(root, folder), { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|testing)\.ts$/.test(file));
  const found = files.flatMap((path) => {
    const name = form.exec(readFileSync(join(root, folder, path), "utf8"))?.[1];
    return name === undefined ? [] : [{ path: path.replace(/\.ts$/, ""), file: basename(path, ".ts"), name }];
  });
  // An empty index would mean that the form of the exports has changed, not that there is nothing.
  if (found.length === 0) throw new Error(`No file in ${folder} matches ${form}. Adapt scripts/gen/indexes.js.`);
  return found.toSorted((left, right) => (left.file < right.file ? -1 : 1));
}

const imports = (found) => found.map(({ path, name }) => `import { ${name} } from "./${path}.js";\n`).join("");
const key = (file) => (/^[a-z][a-z0-9]*$/.test(file) ? file : JSON.stringify(file));
