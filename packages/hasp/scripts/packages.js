import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../..");

/** The folders of the packages that are published, each after those that it depends on. */
export const PACKAGES = JSON.parse(readFileSync(new URL("packages.json", import.meta.url), "utf8"));

/** The manifests of the private packages with their folders, by name. */
const privates = new Map(
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((home) => existsSync(join(home, "package.json")))
    .map((home) => ({ home, ...JSON.parse(readFileSync(join(home, "package.json"), "utf8")) }))
    .filter((manifest) => manifest.private === true)
    .map((manifest) => [manifest.name, manifest]),
);

/** True for the name of a private package, or of an entry of one. */
export function isPrivate(specifier) {
  return privates.has(packageName(specifier));
}

/** Finds the source behind an entry of a private package, such as `@hasp/base/json`. */
export function findDoor(specifier) {
  return findEntry(specifier, ({ home, entry }) => join(home, entry.default));
}

/** Finds the declarations behind an entry of a private package, as a path from the repository's root. */
export function findTypes(specifier) {
  return findEntry(specifier, ({ home, entry }) => posix.join("packages", basename(home), entry.types));
}

function findEntry(specifier, pathOf) {
  const manifest = privates.get(packageName(specifier));
  const entry = manifest?.exports?.[`.${specifier.slice(manifest.name.length)}`];
  return entry === undefined ? undefined : pathOf({ home: manifest.home, entry });
}

function packageName(specifier) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
