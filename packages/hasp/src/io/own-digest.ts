import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let known: string | undefined;

/**
 * A digest of the program that runs: of every file of hasp and of its two packages, and of the versions of what they use.
 * Files are told apart by size and times of change; no program sets the time at which the system saw a file change, so that
 * a patched, rebuilt or reinstalled hasp is another one.
 */
export function ownDigest(): string {
  known ??= digest(fileURLToPath(new URL("../../", import.meta.url)));
  return known;
}

function digest(home: string): string {
  const hash = createHash("sha256").update(`${process.version} ${process.platform}`);
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { readonly dependencies?: object; readonly peerDependencies?: object };
  const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap((name) => {
    const folder = installedAt(home, name);
    return folder === undefined ? [] : [{ folder, isOwn: name.startsWith("@hasp/") }];
  });
  for (const { folder, isOwn } of [{ folder: realpathSync(home), isOwn: true }, ...used]) {
    // Another package changes with its version, which its manifest states.
    const code = isOwn ? readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" }).toSorted() : [];
    for (const path of ["package.json", ...code.map((each) => join("dist", each))]) {
      const { size, mtimeMs, ctimeMs } = statSync(join(folder, path));
      hash.update(`${folder} ${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/** The folder of an installed package, found as Node finds it. */
function installedAt(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}
