import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix, relative } from "node:path";
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { type Diagnostic, type Location, attempt, createLocation } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { createLocator } from "@hasp/compiler/source";
import { readTextIfThere } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";

/** The oldest TypeScript that compiles generated code, as `versions.md` and the packages' optional peers say. */
export const SMALLEST_TYPESCRIPT = "5.6";

/** The ways of resolving imports that find no entry point of a package, such as `@hasp/runtime/codegen/v1`. */
const BLIND: readonly string[] = ["classic", "node", "node10"];

/** The first TypeScript that finds entry points unless `moduleResolution` says otherwise. */
const SIGHTED_TYPESCRIPT = "6.0";

/** The kinds of modules with which an older TypeScript finds entry points, too. */
const SIGHTED_MODULES = /^(?:node(?:16|18|20|next)|preserve)$/iu;

/** Finds what in a project's compiler and `tsconfig.json` keeps generated code from compiling. */
export function checkTypeScript(root: string): readonly Diagnostic[] {
  const version = readInstalledVersion(root);
  const found: Diagnostic[] = [];
  if (version !== undefined && isOlder(version, SMALLEST_TYPESCRIPT)) {
    found.push(writeDiagnostics("old-typescript", undefined, { version, smallest: SMALLEST_TYPESCRIPT }));
  }
  const resolution = findOption(root, "moduleResolution");
  if (resolution !== undefined) {
    const isBlind = BLIND.includes(resolution.value.toLowerCase());
    if (isBlind) found.push(writeDiagnostics("blind-resolution", resolution.location, { value: resolution.value }));
  } else if (version !== undefined && isOlder(version, SIGHTED_TYPESCRIPT) && compilesFiles(root)) {
    const kind = findOption(root, "module");
    const location = kind?.location ?? createLocation(TSCONFIG);
    const isBlind = !SIGHTED_MODULES.test(kind?.value ?? "");
    if (isBlind) found.push(writeDiagnostics("implied-resolution", location, { version }));
  }
  return found;
}

/** Reads the version of the compiler that the project's own modules would find; `undefined` if there is none. */
function readInstalledVersion(root: string): string | undefined {
  const manifest: unknown = attempt(() =>
    JSON.parse(readFileSync(createRequire(join(root, "package.json")).resolve("typescript/package.json"), "utf8")),
  );
  return isObject(manifest) && typeof manifest["version"] === "string" ? manifest["version"] : undefined;
}

function isOlder(version: string, smallest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = smallest.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

interface FoundOption {
  readonly value: string;
  /** Its place; for an option of an installed package, the place that extends it. */
  readonly location: Location;
}

const TSCONFIG = "tsconfig.json";

/** True if `tsconfig.json` compiles files itself, and does not only refer to other configurations. */
function compilesFiles(root: string): boolean {
  const tree = parseTree(readTextIfThere(join(root, TSCONFIG)) ?? "", [], { allowTrailingComma: true });
  return tree !== undefined && findNodeAtLocation(tree, ["files"])?.children?.length !== 0;
}

/** Finds a compiler option in `tsconfig.json`, or in the files that it extends. The nearest one holds. */
function findOption(
  root: string,
  option: string,
  path = TSCONFIG,
  seen: ReadonlySet<string> = new Set(),
): FoundOption | undefined {
  const text = seen.has(path) ? undefined : readTextIfThere(join(root, path));
  const tree = text === undefined ? undefined : parseTree(text, [], { allowTrailingComma: true });
  if (text === undefined || tree === undefined) return undefined;
  const locate = ({ offset, length }: Node, pointer: string): Location =>
    createLocator(path, text)({ start: offset, end: offset + length }, pointer);
  const node = findNodeAtLocation(tree, ["compilerOptions", option]);
  if (node !== undefined) {
    return { value: String(node.value), location: locate(node, `/compilerOptions/${option}`) };
  }
  // The last of several wins.
  for (const base of listExtended(findNodeAtLocation(tree, ["extends"])).toReversed()) {
    const at = findExtended(root, path, String(base.value));
    const found = at === undefined ? undefined : findOption(root, option, at, new Set([...seen, path]));
    if (found !== undefined) return isInstalled(at) ? { ...found, location: locate(base, "/extends") } : found;
  }
  return undefined;
}

function listExtended(node: Node | undefined): readonly Node[] {
  const values = node?.type === "array" ? (node.children ?? []) : [node];
  return values.flatMap((value) => (value?.type === "string" ? [value] : []));
}

/** Finds an extended file, as a path from the root; `undefined` if its package is not installed. */
function findExtended(root: string, path: string, base: string): string | undefined {
  if (/^\.{0,2}\//u.test(base)) {
    const named = base.endsWith(".json") ? base : `${base}.json`;
    return posix.isAbsolute(named) ? undefined : posix.join(posix.dirname(path), named);
  }
  const { resolve } = createRequire(join(root, path));
  for (const each of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    const file = attempt(() => resolve(each));
    if (file?.endsWith(".json") === true) return relative(root, file).replaceAll("\\", "/");
  }
  return undefined;
}

function isInstalled(path: string | undefined): boolean {
  return path?.includes("node_modules/") === true;
}
