import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };

const repository = resolve(import.meta.dirname, "../..");

interface Manifest {
  readonly version: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs what is built, as `pnpm pack` would. Gives the path of each tarball. */
export async function packAll(into: string): Promise<Readonly<Record<string, string>>> {
  const packed = PACKAGES.map(async (name) => {
    const source = join(repository, "packages", name);
    const stage = join(into, name);
    const { files = [], ...manifest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;
    for (const path of [...files.filter((each) => !each.startsWith("!")), "README.md", "LICENSE"]) {
      const from = path === "templates" ? join(repository, path) : join(source, path);
      if (existsSync(from)) cpSync(from, join(stage, path), { recursive: true });
    }
    const dependencies = Object.entries(manifest.dependencies ?? {}).map(([dependency, range]) => [
      dependency,
      range.startsWith("workspace:") ? manifest.version : range,
    ]);
    writeFileSync(
      join(stage, "package.json"),
      JSON.stringify({ ...manifest, files, dependencies: Object.fromEntries(dependencies) }),
    );
    const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
    const { stdout } = await promisify(execFile)("npm", words, { cwd: stage, maxBuffer: 2 ** 26 });
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    return [name, join(into, filename)] as const;
  });
  return Object.fromEntries(await Promise.all(packed));
}
