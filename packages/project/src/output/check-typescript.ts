import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { type Diagnostic, type Location, attempt } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { createLocator } from "@hasp/compiler/source";
import { readTextIfThere } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";

/** The oldest TypeScript that compiles generated code, as `versions.md` and the packages' optional peers say. */
export const SMALLEST_TYPESCRIPT = "5.6";

/** The ways of resolving imports that find no entry point of a package, such as `@hasp/runtime/codegen/v1`. */
const BLIND: readonly string[] = ["classic", "node", "node10"];

/** Finds what in a project's compiler and `tsconfig.json` keeps generated code from compiling. */
export function checkTypeScript(root: string): readonly Diagnostic[] {
  const version = readInstalledVersion(root);
  const resolution = findOption(root, "moduleResolution");
  const isOld = version !== undefined && isOlder(version, SMALLEST_TYPESCRIPT);
  const isBlind = resolution !== undefined && BLIND.includes(resolution.value.toLowerCase());
  return [
    ...(isOld ? [writeDiagnostics("old-typescript", undefined, { version, smallest: SMALLEST_TYPESCRIPT })] : []),
    ...(isBlind ? [writeDiagnostics("blind-resolution", resolution.location, { value: resolution.value })] : []),
  ];
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
  readonly location: Location;
}

/** Finds a compiler option in `tsconfig.json`, or in the files of the project that it extends. The nearest one holds. */
function findOption(
  root: string,
  option: string,
  path = "tsconfig.json",
  seen: ReadonlySet<string> = new Set(),
): FoundOption | undefined {
  const text = seen.has(path) ? undefined : readTextIfThere(join(root, path));
  const tree = text === undefined ? undefined : parseTree(text, [], { allowTrailingComma: true });
  if (text === undefined || tree === undefined) return undefined;
  const node = findNodeAtLocation(tree, ["compilerOptions", option]);
  if (node !== undefined) {
    const span = { start: node.offset, end: node.offset + node.length };
    return { value: String(node.value), location: createLocator(path, text)(span, `/compilerOptions/${option}`) };
  }
  // The last of several wins.
  for (const base of listExtended(findNodeAtLocation(tree, ["extends"])).toReversed()) {
    const at = posix.join(dirname(path), base.endsWith(".json") ? base : `${base}.json`);
    const found = findOption(root, option, at, new Set([...seen, path]));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists the files that are extended by path; the settings of packages are not read. */
function listExtended(node: Node | undefined): readonly string[] {
  const values = node?.type === "array" ? (node.children ?? []).map(({ value }): unknown => value) : [node?.value];
  return values.filter((value): value is string => typeof value === "string" && value.startsWith("."));
}
