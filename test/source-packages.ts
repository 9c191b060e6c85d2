import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const packages = resolve(import.meta.dirname, "../packages");

/** The folders of all packages that hasp consists of, published or private; the extension of an editor is none. */
export const SOURCE_PACKAGES: readonly string[] = readdirSync(packages).filter(
  (name) => name !== "vscode" && existsSync(join(packages, name, "src")),
);
