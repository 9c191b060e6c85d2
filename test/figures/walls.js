import { findArrowsBackUp, findCircles } from "./circles.js";
import { findDeclaration, listExports } from "./read-sources.js";

/** Code that follows a JSON Schema reference by itself. */
const FOLLOWS_REFERENCE =
  /(?:parsePointer|unescapeToken)\(\s*(?:decode\w+|readFragment|\$?ref(?:erence)?\b|fragment)|decodeURIComponent\(\s*\$?ref(?:erence)?\b[^]*parsePointer\(/;
const STARTS_PROGRAM = /\b(?:fork|spawn|new Worker)\(/;
const ESCAPES_TOKENS = /replaceAll\("~1"|replaceAll\("\/", "~1"\)|replaceAll\(\/~1/;

/** Measures the walls between packages, their doors, what programs load, and the size of the sources. */
export function measureWalls({ files, manifests, entries }) {
  const inPackages = [...files.values()].filter(({ path, owner }) => owner !== undefined && path.includes("/src/"));
  // The extension for VS Code is a program of its own, beside the packages.
  const sources = inPackages.filter(({ isTest, owner }) => !isTest && owner !== "vscode");
  const across = (list) =>
    list.flatMap(({ path, owner, imports }) =>
      imports
        .filter(({ specifier, to }) => specifier.startsWith(".") && leaves(owner, to))
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
  const leaves = (owner, to) => /^packages\/([^/]+)\/src\//.exec(to)?.[1] !== owner && to.includes("/src/");
  const entryTakers = (entry, list) =>
    list.filter(({ owner, imports }) => owner !== entry.owner && imports.some((each) => each.entry === entry));
  const privateEntries = entries.filter(({ isPrivate }) => isPrivate);
  const publicEntries = entries.filter(({ isPrivate }) => !isPrivate);
  const namesOf = (entry) => listExports(files, entry.path).map((name) => `${entry.specifier} ${name}`);
  const widths = entries
    .map((entry) => ({ ...entry, width: namesOf(entry).length }))
    .toSorted((a, b) => b.width - a.width);
  const arrows = new Set(
    sources.flatMap(({ owner, imports }) =>
      imports
        .filter(({ entry }) => entry !== undefined && entry.owner !== owner)
        .map(({ entry }) => `${owner} → ${entry.owner}`),
    ),
  );
  const inside = (kinds) => (path) =>
    files
      .get(path)
      .imports.filter(({ to, kind }) => kinds.includes(kind) && files.get(to)?.owner === files.get(path).owner)
      .map(({ to }) => to);
  const fileCircles = (kinds) =>
    findCircles(
      sources.map(({ path }) => path),
      inside(kinds),
    ).map((circle) => circle.join(" ↔ "));
  const load = (path) => loadedLines(files, path);
  const owners = [...manifests.keys()]
    .map((home) => home.slice("packages/".length))
    .filter((owner) => owner !== "vscode");
  const countLeaves = (list) => list.reduce((sum, file) => sum + file.leaves, 0);
  const withText = (pattern) => sources.filter(({ text }) => pattern.test(text));
  return {
    "relative imports across packages": across(sources),
    "relative imports across packages, in tests beside the code": across(inPackages.filter(({ isTest }) => isTest)),
    "relative imports of sources in test": across([...files.values()].filter(({ path }) => path.startsWith("test/"))),
    "private entries that only tests use": privateEntries
      .filter((entry) => entryTakers(entry, sources).length === 0)
      .map(({ specifier }) => specifier),
    "names of private entries that nobody takes": privateEntries.flatMap((entry) => {
      const taken = new Set(
        entryTakers(entry, [...files.values()]).flatMap(({ imports }) =>
          imports.filter((each) => each.entry === entry).flatMap(({ names }) => names),
        ),
      );
      return taken.has("*")
        ? []
        : listExports(files, entry.path)
            .filter((name) => !taken.has(name))
            .map((name) => `${entry.specifier} ${name}`);
    }),
    "names of public packages": publicEntries.flatMap(namesOf).length,
    "names of the widest entry": widths[0].width,
    packages: manifests.size,
    "arrows between packages": [...arrows].toSorted(),
    "circles of packages": findCircles(owners, (owner) =>
      [...arrows].filter((arrow) => arrow.startsWith(`${owner} → `)).map((arrow) => arrow.split(" → ")[1]),
    ).map((circle) => circle.join(" ↔ ")),
    "circles of files, by values": fileCircles(["value"]),
    "circles of files, by types too": fileCircles(["value", "type", "dynamic"]),
    "arrows that run back up inside a package": owners.flatMap((owner) =>
      findArrowsBackUp(weighRooms(files, sources, owner)).map((arrow) => `${owner}: ${arrow}`),
    ),
    "lines that hasp build can load": load("packages/hasp/src/cli/commands/build.ts"),
    "lines that hasp check can load": load("packages/hasp/src/cli/commands/check.ts"),
    "lines that compile() can load": load("packages/compiler/src/compile.ts"),
    "lines that the kernel of a dispatcher can load": load("packages/runtime/src/dispatch/kernel.ts"),
    "lines that a generated registry can load": load("packages/runtime/src/codegen/v1/index.ts"),
    "leaves of the syntax trees": countLeaves(sources),
    "functions that follow references themselves": sources.flatMap(({ path, bodies }) =>
      bodies.filter(({ text }) => FOLLOWS_REFERENCE.test(text)).map(({ line }) => `${path}:${line}`),
    ),
    "files that start a process or worker": withText(STARTS_PROGRAM)
      .filter(({ imports }) =>
        imports.some(({ specifier }) => /^node:(?:child_process|worker_threads)$/.test(specifier)),
      )
      .map(({ path }) => path),
    "files that escape tokens of JSON Pointers": withText(ESCAPES_TOKENS).map(({ path }) => path),
    ...Object.fromEntries(
      owners.map((owner) => [
        `leaves of packages/${owner}`,
        countLeaves(sources.filter((file) => file.owner === owner)),
      ]),
    ),
  };
}

/** Counts the imports between the top folders, and files beside them, of a package. */
function weighRooms(files, sources, owner) {
  const roomOf = (path) => {
    const [first, ...rest] = path.slice(`packages/${owner}/src/`.length).split("/");
    return rest.length === 0 ? first : `${first}/`;
  };
  const weights = new Map();
  for (const { path, imports } of sources.filter((file) => file.owner === owner)) {
    for (const to of new Set(imports.map((each) => each.to))) {
      if (files.get(to)?.owner !== owner || roomOf(path) === roomOf(to)) continue;
      const arrow = `${roomOf(path)} → ${roomOf(to)}`;
      weights.set(arrow, (weights.get(arrow) ?? 0) + 1);
    }
  }
  return weights;
}

/** Counts the lines that a program beginning with a module can load, at once or on demand. */
function loadedLines(files, start) {
  if (!files.has(start)) throw new Error(`${start} is gone: name the module that the figure begins with.`);
  const seen = new Set([start]);
  for (const path of seen) {
    const { owner, imports } = files.get(path);
    for (const { kind, to, names, entry } of imports) {
      if (kind === "type" || !files.has(to)) continue;
      // Bundles leave published packages to those that are installed, whose entries are loaded whole.
      const isWhole = (entry?.isPrivate === false && entry.owner !== owner) || names.includes("*");
      for (const target of isWhole ? [to] : names.map((name) => findDeclaration(files, to, name).path)) {
        if (files.has(target) && !files.get(target).isTest) seen.add(target);
      }
    }
  }
  return [...seen].reduce((sum, path) => sum + files.get(path).lines, 0);
}
