import { readFileSync } from "node:fs";
import { join } from "node:path";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { isObject } from "../../model/json-kind.js";

/** The members of a package.json; of no particular type. */
export interface PackageJson {
  readonly [member: string]: unknown;
}

/** Reads a folder's package.json, or says why it cannot be read. */
export function readPackageJson(folder: string): { readonly manifest: PackageJson } | { readonly reason: string } {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(manifest) ? { manifest } : { reason: "it is not an object" };
  } catch (error) {
    return { reason: thrownText(error) };
  }
}
