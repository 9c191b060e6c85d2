import { dirname } from "node:path";
import { findDeclaration, sourcesOf } from "./read-sources.js";

/** Beginnings of titles that are clauses, or that lack the subject of a plural verb. */
const UNFINISHED_TITLE =
  /^(?:of|that|none|what|whoever|whatever|are|become|come|do|fall|follow|give|have|hold|keep|leave|lose|make|refuse|say|stay|survive)\b/i;

/** Measures what a reader of the sources and of the documentation has to cope with. */
export function measureReading({ files, manifests, paths, read }) {
  const sources = [...files.values()].filter((file) => !file.isTest && !file.isGenerated);
  const tests = [...files.values()].filter(({ isTest }) => isTest);
  const entries = new Set(
    [...manifests].flatMap(([home, { exports = {}, bin = {} }]) => sourcesOf(home, [exports, bin])),
  );
  const importers = new Map();
  const taken = new Set();
  for (const file of files.values()) {
    for (const { to, names } of file.imports) {
      if (to === undefined) continue;
      for (const each of names) {
        const { path, name } = findDeclaration(files, to, each);
        if (!file.isTest && !file.passesOn) importers.set(path, (importers.get(path) ?? new Set()).add(file.path));
        taken.add(`${path} ${name}`);
      }
    }
  }
  const typeHomes = groups(sources.flatMap(({ types }) => [...new Set(types)]));
  const pages = paths
    .filter(isPageByHand(read, manifests))
    .map((path) => ({ path, words: read(path).split(/\s+/).filter(Boolean).length }));
  return {
    "files that export one name to one importer": sources
      .filter(({ path, exports }) => exports.length === 1 && importers.get(path)?.size === 1)
      .map(({ path }) => path),
    "exported names that nobody imports": sources
      .filter(({ path }) => !entries.has(path) && !taken.has(`${path} *`) && /^packages\/[^/]+\/src\//.test(path))
      .flatMap(({ path, exports }) =>
        exports.filter((name) => !taken.has(`${path} ${name}`)).map((name) => `${path}: ${name}`),
      ),
    "docblocks that begin with a clause": [...sources, ...tests].flatMap(({ path, docblocks }) =>
      docblocks
        .filter((text) => /^(?:What|Whether|Where|Which|Of|That|How|Why)\b/.test(text))
        .map((text) => `${path}: ${text}`),
    ),
    "test titles that are no sentence": tests.flatMap(({ path, titles }) =>
      titles
        .filter((title) => title.trim().split(/\s+/).length < 3 || UNFINISHED_TITLE.test(title))
        .map((title) => `${path}: ${title}`),
    ),
    "exported functions that end in Of": sources.flatMap(({ path, functions }) =>
      functions.filter((name) => /[a-z]Of$/.test(name)).map((name) => `${path}: ${name}`),
    ),
    "type names declared twice": [...typeHomes].filter(([, homes]) => homes.length > 1).map(([name]) => name),
    "words of the documentation": pages.reduce((sum, { words }) => sum + words, 0),
    "words of the longest page": Math.max(...pages.map(({ words }) => words)),
  };
}

/** True for pages that users read and somebody has written. The README of a part of hasp is read beside its code. */
function isPageByHand(read, manifests) {
  const isPart = ({ private: isPrivate, exports } = {}) => isPrivate === true && exports !== undefined;
  return (path) =>
    !isPart(manifests.get(dirname(path))) &&
    (/^(?:packages\/.*)?(?:README|CONTRIBUTING)\.md$/.test(path) || /^packages\/[^/]+\/docs\/.*\.md$/.test(path)) &&
    !(path.includes("/reference/") && /is (?:printed|generated|derived) from/.test(read(path)));
}

function groups(names) {
  const homes = new Map();
  for (const name of names) homes.set(name, [...(homes.get(name) ?? []), name]);
  return homes;
}
