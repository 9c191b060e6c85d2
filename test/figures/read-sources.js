import { dirname, posix } from "node:path";
import { examine } from "./examine.js";

/** Reads the code of a checkout below `packages` and `test`, and the entries of its packages. */
export function readSources(paths, read) {
  const isCode = (path) => /\.[jt]s$/.test(path) && !path.endsWith(".d.ts") && /^(?:packages|test)\//.test(path);
  const files = new Map(
    paths
      .filter((path) => isCode(path) && !path.startsWith("test/outside/kitchen/"))
      .map((path) => [path, { path, owner: ownerOf(path), isTest: isTest(path), ...examine(path, read(path)) }]),
  );
  const manifests = new Map(
    paths
      .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
      .map((path) => [dirname(path), JSON.parse(read(path))]),
  );
  const entries = [...manifests].flatMap(([home, { name, exports = {}, private: isPrivate = false }]) =>
    Object.entries(exports).flatMap(([key, value]) => {
      const path = sourcesOf(home, value).find((each) => files.has(each));
      // An entry that leads to a source is not published.
      const isInner = isPrivate || value.default?.startsWith("./src/") === true;
      return path === undefined
        ? []
        : [{ owner: ownerOf(path), specifier: name + key.slice(1), isPrivate: isInner, path }];
    }),
  );
  const entryOf = new Map(entries.map((entry) => [entry.specifier, entry]));
  for (const file of files.values()) {
    for (const each of file.imports) {
      each.entry = entryOf.get(each.specifier);
      each.to = each.specifier.startsWith(".") ? resolveRelative(files, file.path, each.specifier) : each.entry?.path;
    }
  }
  return { files, manifests, entries, paths, read };
}

/** The package that a file belongs to. */
const ownerOf = (path) => /^packages\/([^/]+)\//.exec(path)?.[1];

const isTest = (path) =>
  path.startsWith("test/") || path.includes("/scripts/") || /\.(?:test|testing|mocked|bench)\./.test(path);

function resolveRelative(files, from, specifier) {
  const path = posix.join(posix.dirname(from), specifier).replace("/dist/", "/src/");
  return [path, path.replace(/\.js$/, ".ts")].find((each) => files.has(each)) ?? path;
}

/** The sources behind paths of a manifest. */
export function sourcesOf(home, value) {
  if (typeof value !== "string") return Object.values(value).flatMap((each) => sourcesOf(home, each));
  return [
    posix
      .join(home, value)
      .replace("/dist/", "/src/")
      .replace(/(?:\.d)?\.[jt]s$/, ".ts"),
  ];
}

/** Finds the module that declares a name, behind the modules that only pass it on. */
export function findDeclaration(files, path, name) {
  const file = files.get(path);
  if (file === undefined || !file.passesOn) return { path, name };
  const passed = file.imports.find(({ as }) => as.includes(name));
  if (passed !== undefined) return findDeclaration(files, passed.to, passed.names[passed.as.indexOf(name)]);
  for (const { to, as } of file.imports) {
    if (as.includes("*") && listExports(files, to).includes(name)) return findDeclaration(files, to, name);
  }
  return { path, name };
}

/** The names that a module exports, with those that it passes on. */
export function listExports(files, path) {
  const { exports = [], imports = [] } = files.get(path) ?? {};
  const passed = imports
    .filter(({ isPassedOn }) => isPassedOn)
    .flatMap(({ to, as }) => (as.includes("*") ? listExports(files, to) : as));
  return [...new Set([...exports, ...passed])];
}
