import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the name of a project: that of its package. A folder has another name on every machine, so that a project
 * without a package has none of its own.
 */
export function projectName(root: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const name: unknown = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "name") : undefined;
    if (typeof name === "string" && name.trim() !== "" && name.length <= LONGEST_NAME) return name;
  } catch {
    // A project need not be a package.
  }
  return "Agent tools";
}

/** The length that npm permits. */
const LONGEST_NAME = 214;
