import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { printThrown } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";

interface PackageJson {
  readonly [member: string]: unknown;
}

/** Reads a folder's package.json, or says why it cannot be read. */
export function readPackageJson(folder: string): { readonly manifest: PackageJson } | { readonly reason: string } {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(manifest) ? { manifest } : { reason: "it is not an object" };
  } catch (error) {
    return { reason: printThrown(error) };
  }
}

interface ProjectInfo {
  readonly name: string;
  readonly version: string;
}

/** Reads the name and the version of a project's `package.json`; by default the folder's name and `0.0.0`. */
export function readProjectInfo(root: string): ProjectInfo {
  const read = readPackageJson(root);
  const { name, version } = "manifest" in read ? read.manifest : {};
  return {
    name: textOr(name, basename(resolve(root))),
    version: textOr(version, "0.0.0"),
  };
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" && value !== "" ? value : other;
}

/** Returns the name of a project's package; without one, a fixed name, since folders differ between machines. */
export function readProjectName(root: string): string {
  const read = readPackageJson(root);
  const name = "manifest" in read ? read.manifest["name"] : undefined;
  return typeof name === "string" && name.trim() !== "" && name.length <= LONGEST_NAME ? name : "Agent tools";
}

/** npm's limit. */
const LONGEST_NAME = 214;
