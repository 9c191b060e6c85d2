// node name-repository.js https://github.com/owner/name: writes each package's address. Only the release does so:
// a fork must not claim to be another repository.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGES } from "./packages.js";

const packages = resolve(import.meta.dirname, "../..");

export function repositoryFields(address, name) {
  const { protocol, origin, pathname } = new URL(address);
  if (protocol !== "https:" || !/^\/[\w.-]+\/[\w.-]+$/u.test(pathname)) {
    throw new Error(`"${address}" is no address such as https://github.com/owner/name.`);
  }
  const home = `${origin}${pathname.replace(/\.git$/u, "")}`;
  return {
    homepage: `${home}/tree/main/packages/${name}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { type: "git", url: `git+${home}.git`, directory: `packages/${name}` },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of PACKAGES) {
    const path = join(packages, name, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, `${JSON.stringify({ ...manifest, ...repositoryFields(process.argv[2], name) }, null, 2)}\n`);
  }
}
