import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../..");

/** The folders of the packages that are published, each after those that it depends on. */
export const PACKAGES = JSON.parse(readFileSync(new URL("packages.json", import.meta.url), "utf8"));

/** The manifests of all packages with their folders, by name. */
const manifests = new Map(
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((home) => existsSync(join(home, "package.json")))
    .map((home) => ({ home, ...JSON.parse(readFileSync(join(home, "package.json"), "utf8")) }))
    .map((manifest) => [manifest.name, manifest]),
);

/** True for an entry that leads to a source: it is part of each bundle that imports it, and is not published. */
const leadsToSource = (entry) => entry?.default?.startsWith("./src/") === true;

/** True for the name of a private package, and of an entry that is not published. */
export function isPrivate(specifier) {
  return manifests.get(packageName(specifier))?.private === true || findDoor(specifier) !== undefined;
}

/** Finds the source behind an entry that is not published, such as `@hasp/base/json`. */
export function findDoor(specifier) {
  return findEntry(specifier, ({ home, entry }) => join(home, entry.default));
}

/** Finds the declarations behind such an entry, as a path from the repository's root. */
export function findTypes(specifier) {
  return findEntry(specifier, ({ home, entry }) => posix.join("packages", basename(home), entry.types));
}

/** Keeps the `exports` of a manifest that are published. */
export function keepPublished(exports) {
  return Object.fromEntries(Object.entries(exports).filter(([, entry]) => !leadsToSource(entry)));
}

function findEntry(specifier, pathOf) {
  const manifest = manifests.get(packageName(specifier));
  const entry = manifest?.exports?.[`.${specifier.slice(manifest.name.length)}`];
  return leadsToSource(entry) ? pathOf({ home: manifest.home, entry }) : undefined;
}

function packageName(specifier) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
