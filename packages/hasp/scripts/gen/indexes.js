// The indexes of folders in which adding one is adding a file.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./workspace.js";

const header = "// Written by `pnpm gen` from the files of this folder: adding one is adding a file.\n";

/** Creates the indexes by path, from sources alone, so that a build can follow them. */
export function indexes() {
  return new Map([
    ["packages/runtime/src/tool/version.ts", versionModule()],
    ["packages/builtin/src/rules/index.ts", rulesIndex()],
    ["packages/builtin/src/emitters/index.ts", emittersIndex()],
    ["packages/import/src/importers/index.ts", importersIndex()],
    ["packages/report/src/reporters/index.ts", reportFormatsIndex()],
    ["packages/builtin/src/clients/all.ts", clientsIndex()],
    ["packages/schema/src/dialects/all.ts", dialectsIndex()],
    ["packages/schema/src/dialects/definition/dialect-id.ts", dialectIdsModule()],
    ["packages/schema/src/dialects/entries.ts", entriesModule()],
    ["packages/schema/src/dialects/unlowered.ts", unloweredModule()],
    ["packages/runtime/src/codegen/v1/provider-lists.ts", providerListsModule()],
    ["packages/runtime/src/codegen/v1/entry-makers.ts", entryMakersModule()],
    ["packages/runtime/src/codegen/v1/tried-out.ts", triedOutModule()],
  ]);
}

function versionModule() {
  const { version } = JSON.parse(readFileSync(join(root, "packages/hasp/package.json"), "utf8"));
  return `// Written by \`pnpm gen\` from package.json.
/** The version of hasp, which the manifest of a build names. */
export const VERSION = ${JSON.stringify(version)};
`;
}

function rulesIndex() {
  const found = allMembers(
    "packages/builtin/src/rules",
    /^export const (\w+): Rule = defineRule\(\{\n  id: "[\w-]+\/([\w-]+)"/gm,
  );
  return `${header}${importsByFile(found)}import type { Rule } from "@hasp/compiler/plugin";

/** Every rule that hasp knows, by name. */
export const rules: readonly Rule[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
}

function emittersIndex() {
  const found = allMembers(
    "packages/builtin/src/emitters",
    /^export const (\w+): Emitter(?:<.*>)? = \{\n  name: "([\w-]+)"/gm,
  );
  return `${header}import type { Emitter } from "./base/emitter.js";
${importsByFile(found)}
/** Every emitter, by name. */
export const emitters: readonly Emitter[] = [
${found.map(({ name }) => `  ${name},\n`).join("")}];
`;
}

/** Lists the members of a collection by name; a file may hold several. */
function allMembers(folder, form) {
  return sourcesIn(folder, form)
    .flatMap(({ path, text }) => [...text.matchAll(form)].map(([, name, id]) => ({ path, id, name })))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function importsByFile(found) {
  const lines = [...new Set(found.map(({ path }) => path))].map((path) => {
    const names = found.filter((member) => member.path === path).map(({ name }) => name);
    const line = `import { ${names.join(", ")} } from "./${path}.js";\n`;
    return line.length < 122 ? line : `import {\n  ${names.join(",\n  ")},\n} from "./${path}.js";\n`;
  });
  return lines.join("");
}

function reportFormatsIndex() {
  const found = members("packages/report/src/reporters", /^export const (\w+): ReportFormat = /m);
  return `${header}import type { ReportFormat } from "./report.js";

/** A name that \`--format\` takes. */
export type FormatName = ${found.map(({ file }) => JSON.stringify(file)).join(" | ")};

/** Every output format, by its name. */
export const reportFormats: { readonly [name in FormatName]: () => Promise<ReportFormat> } = {
${found.map(({ file, name }) => `  ${key(file)}: async () => (await import("./${file}.js")).${name},\n`).join("")}};
`;
}

function importersIndex() {
  const found = members("packages/import/src/importers", /^export const (\w+): Importer = /m);
  return `${header}import type { Importer } from "./source/importer.js";

/** A kind of source. */
export type ImportKind = ${found.map(({ file }) => JSON.stringify(file)).join(" | ")};

/** The importers of \`hasp import <kind>\`, each loaded on demand. */
export const importers: { readonly [kind in ImportKind]: () => Promise<Importer> } = {
${found.map(({ file, name }) => `  ${key(file)}: async () => (await import("./${file}.js")).${name},\n`).join("")}};
`;
}

function clientsIndex() {
  const found = allMembers("packages/builtin/src/clients", /^export const (\w+): Client = \{\n  id: "([\w-]+)"/gm);
  return `${header}import type { Client } from "@hasp/compiler/model";
${importsByFile(found)}
/** Every client that hasp knows, by id. */
export const clients: { readonly [id: string]: Client } = Object.freeze({
${byId(found)}});
`;
}

const dialectForm = /^export const (\w+): Dialect = defineDialect\(\{\n  id: "([\w-]+)"/gm;

/** Lists the dialects by id, each with its own text; a file holds those of one provider. */
function dialectsInFiles() {
  return sourcesIn("packages/schema/src/dialects", dialectForm)
    .flatMap(({ path, text }) => {
      const found = [...text.matchAll(dialectForm)];
      return found.map(({ 1: name, 2: id, index }, number) => ({
        path,
        name,
        id,
        source: text.slice(index, found[number + 1]?.index),
      }));
    })
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

/** Lists the types of entries by the file that declares them. */
function entryTypes() {
  return sourcesIn("packages/schema/src/dialects", dialectForm).flatMap(({ path, text }) => {
    const names = [...text.matchAll(/^export interface (\w+Tool) /gm)].map(([, name]) => name);
    return names.length === 0 ? [] : [{ path, names: names.toSorted() }];
  });
}

/** Ids and families are a module of their own, which every module may import. */
function dialectIdsModule() {
  const found = dialectsInFiles();
  const families = new Set(found.map(({ source }) => /^  family: "([\w-]+)",$/m.exec(source)?.[1]));
  const union = (names) => {
    const quoted = names.map((name) => JSON.stringify(name));
    const line = quoted.join(" | ");
    return line.length < 118 ? `\n  ${line};\n` : `\n${quoted.map((name) => `  | ${name}`).join("\n")};\n`;
  };
  return `${header}
/** The dialects that hasp knows; the keys of the record \`dialects\`. */
export type DialectId =${union(found.map(({ id }) => id))}
/** Providers whose dialects belong together; the key under \`providers\` in a spec. */
export type DialectFamily =${union([...families].toSorted())}`;
}

function dialectsIndex() {
  const found = dialectsInFiles();
  return `${header}${importsByFile(found)}import type { Dialect } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

/** Every dialect that hasp knows, by id. */
export const dialects: { readonly [id in DialectId]: Dialect } = Object.freeze({
${byId(found)}});
`;
}

/** Prints the types of all entries. */
function entriesModule() {
  const found = dialectsInFiles();
  const print = (word, isPrinted) =>
    entryTypes()
      .map(({ path, names }) => {
        const printed = names.filter(isPrinted);
        const line = `${word} type { ${printed.join(", ")} } from "./${path}.js";\n`;
        return line.length < 122
          ? line
          : `${word} type {\n${printed.map((name) => `  ${name},\n`).join("")}} from "./${path}.js";\n`;
      })
      .join("");
  const entries = found.map(({ id, source }) => {
    const named = [/ type: "(\w+Tool)"/, / text: \{ type: "(\w+Tool)"/].flatMap((form) => form.exec(source)?.[1] ?? []);
    return `  ${key(id)}: ${named.join(" | ")};\n`;
  });
  const text = entries.join("");
  return `${header}${print("import", (name) => new RegExp(`\\b${name}\\b`).test(text))}
${print("export", () => true)}export type { ${commonTypes.join(", ")} } from "./definition/wire-types.js";
export * from "./definition/wire-entries.js";

/** The type of an entry in the list of each dialect. */
export interface DialectEntries {
${text}}
`;
}

/** The functions that build entries and that all dialects share, with the type of the tool that each takes. */
function sharedWraps() {
  const text = readFileSync(join(root, "packages/schema/src/dialects/definition/wire-entries.ts"), "utf8");
  return new Map(
    [...text.matchAll(/^export function (wrapFor\w+)\(tool: (\w+)\)/gm)].map(([, name, tool]) => [name, tool]),
  );
}

/** The dialects that do not ask for enforcement, with the shared function that builds their entries, if they use one. */
function looseDialects() {
  const shared = sharedWraps();
  return dialectsInFiles()
    .filter(({ source }) => !/^  variants: \{ loose: /m.test(source))
    .map((member) => {
      const wrap = /^  wrap: (\w+),$/m.exec(member.source)[1];
      return {
        ...member,
        wrap: shared.has(wrap) ? wrap : undefined,
        type: / type: "(\w+Tool)"/.exec(member.source)[1],
      };
    });
}

/** Prints how each dialect sends schemas as they are. */
function unloweredModule() {
  const loose = looseDialects();
  // An API with a form of schemas of its own takes JSON Schema as another dialect in its file says.
  const wraps = new Map(
    loose.map(({ id, path, wrap }) => [
      id,
      wrap ?? loose.find((other) => other.path === path && other.wrap !== undefined)?.wrap,
    ]),
  );
  const names = [...new Set([...wraps.values()].filter((wrap) => wrap !== undefined))].toSorted();
  const rows = dialectsInFiles().map(({ id }) => `  ${key(id)}: ${wraps.get(id)},\n`);
  return `${header}import type { DialectId } from "./definition/dialect-id.js";
import type { WrapEntry } from "./definition/dialect.js";
import {\n${names.map((name) => `  ${name},\n`).join("")}} from "./definition/wire-entries.js";

/** The builders of entries for schemas that are sent as they are; \`undefined\` for a dialect that takes lowered ones only. */
export const unlowered: { readonly [id in DialectId]: WrapEntry | undefined } = {
${rows.join("")}};
`;
}

/** Prints the makers of entries that generated code imports, one for those that are built alike. */
function entryMakersModule() {
  const shared = sharedWraps();
  const makers = looseDialects().filter(({ wrap }) => wrap !== undefined);
  const made = new Map();
  const lines = makers.map(({ name, type, wrap }) => {
    const other = made.get(`${wrap} ${type}`);
    made.set(`${wrap} ${type}`, other ?? name);
    const build = shared.get(wrap) === "WireTool" ? `(...parts) => ${wrap}(forMcp(...parts))` : wrap;
    return `export const ${name}: EntryMaker<${type}> = ${other ?? `/* @__PURE__ */ makeBy(${build})`};\n`;
  });
  const types = [...new Set(makers.map(({ type }) => `type ${type}`))].toSorted();
  const wraps = [...new Set(makers.map(({ wrap }) => wrap))].toSorted();
  return `${header}import {
${[...types, ...wraps].map((name) => `  ${name},\n`).join("")}} from "@hasp/schema/internal/entries";
import { type EntryMaker, forMcp, makeBy } from "./listing.js";

${lines.join("")}`;
}

/** Prints what an emitter tries out before it prints a call of it: that loads no part of a tool. */
function triedOutModule() {
  const names = looseDialects()
    .filter(({ wrap }) => wrap !== undefined)
    .map(({ name }) => name);
  return `${header}import { type JsonObject, own } from "@hasp/base/json";
import {\n${names.map((name) => `  ${name},\n`).join("")}} from "./entry-makers.js";
import { gemini } from "./listing.js";

export { toDraft07 } from "../../tool/standard-schema.js";

type AnyEntryMaker = (listing: object, changes?: object) => JsonObject;

const makers = {\n${["gemini", ...names]
    .toSorted()
    .map((name) => `  ${name},\n`)
    .join("")}} as unknown as { readonly [name: string]: AnyEntryMaker };

/** Finds the function of that name that makes a tool's entry in a list. */
export function findEntryMaker(name: string): AnyEntryMaker | undefined {
  return own(makers, name);
}
`;
}

function providerListsModule() {
  const names = [...entryTypes().flatMap((each) => each.names), ...commonTypes].toSorted();
  return `${header}export type {\n${names.map((name) => `  ${name},\n`).join("")}} from "@hasp/schema/internal/entries";\n`;
}

const commonTypes = ["ObjectSchema", "WireObjectSchema", "WireSchema"];

const byId = (found) =>
  found.map(({ id, name }) => (id === name ? `  ${name},\n` : `  ${key(id)}: ${name},\n`)).join("");

function members(folder, form) {
  return sourcesIn(folder, form)
    .map(({ path, text }) => ({ path, file: basename(path), name: form.exec(text)[1] }))
    .toSorted((left, right) => (left.file < right.file ? -1 : 1));
}

function sourcesIn(folder, form) {
  const files = readdirSync(join(root, folder), { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|testing)\.ts$/.test(file));
  const found = files
    .map((path) => ({ path: path.replace(/\.ts$/, ""), text: readFileSync(join(root, folder, path), "utf8") }))
    .filter(({ text }) => text.search(form) !== -1);
  // An empty index means that the form of the exports has changed.
  if (found.length === 0) throw new Error(`No file in ${folder} matches ${form}. Adapt scripts/gen/indexes.js.`);
  return found;
}

const key = (file) => (/^[a-z][a-z0-9]*$/.test(file) ? file : JSON.stringify(file));
