// Makes the declarations of a published package complete: node ship-types.js <package> [folder], after a build.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { findTypes, keepPublished } from "./packages.js";

const root = resolve(import.meta.dirname, "../../..");

if (process.argv[1] === import.meta.filename) {
  const [name, into = join(root, "packages", name)] = process.argv.slice(2);
  shipTypes(name, into);
  // Other packages compile against the declarations of `tsc`, so the next build has to write them again.
  rmSync(join(into, "dist/tsconfig.tsbuildinfo"), { force: true });
}

/**
 * Writes the declarations that the entries of a package lead to into a folder laid out like the package. Those of private
 * packages, which nobody can install, go into `dist/parts/`, and the specifiers lead there.
 */
export function shipTypes(name, into) {
  const home = `packages/${name}`;
  const { exports } = JSON.parse(readFileSync(join(root, home, "package.json"), "utf8"));
  const placeOf = (path) => {
    const [, folder, , ...rest] = path.split("/");
    return folder === name ? ["dist", ...rest].join("/") : ["dist/parts", folder, ...rest].join("/");
  };
  const paths = new Set(
    Object.values(keepPublished(exports)).flatMap(({ types }) =>
      types === undefined ? [] : [posix.join(home, types)],
    ),
  );
  // A set visits what is added meanwhile.
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8").replaceAll(
      /((?:from|import)\s*\(?\s*)"([^"]+)"/gu,
      (statement, before, specifier) => {
        const target = specifier.startsWith(".")
          ? posix.join(posix.dirname(path), specifier).replace(/\.js$/u, ".d.ts")
          : findTypes(specifier);
        if (target === undefined) return statement;
        paths.add(target);
        const link = posix.relative(posix.dirname(placeOf(path)), placeOf(target)).replace(/\.d\.ts$/u, ".js");
        return `${before}"${link.startsWith(".") ? link : `./${link}`}"`;
      },
    );
    const place = join(into, placeOf(path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text.replace(/\n\/\/# sourceMappingURL=.*$/u, ""));
  }
}
