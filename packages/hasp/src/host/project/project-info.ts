import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isObject } from "../../model/json-kind.js";

/** What a server says of itself. */
export interface ProjectInfo {
  readonly name: string;
  readonly version: string;
}

/** The name and the version of a project's `package.json`; the folder's name and `0.0.0` where it states none. */
export function projectInfo(root: string): ProjectInfo {
  const manifest = readManifest(root);
  return {
    name: textOr(manifest?.["name"], basename(resolve(root))),
    version: textOr(manifest?.["version"], "0.0.0"),
  };
}

function readManifest(root: string): { readonly [member: string]: unknown } | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" && value !== "" ? value : other;
}
