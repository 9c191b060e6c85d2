import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { keepPublished } from "../published-entries.js";

const repository = resolve(import.meta.dirname, "../..");

const SHIP_TYPES = join(repository, "packages/hasp/scripts/ship-types.js");

type Ranges = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files?: readonly string[];
  readonly exports: object;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

/** A package as `npm publish` would upload it. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  /** The folder with what is packed. */
  readonly folder: string;
  /** The paths in the package. */
  readonly files: readonly string[];
}

/** Packs what is built, as `pnpm pack` would: all packages in one process. Gives each by the name of its folder. */
export async function packAll(into: string): Promise<Readonly<Record<string, Packed>>> {
  const stages = PACKAGES.map((name) => stagePackage(name, join(into, name)));
  const words = ["pack", ...stages, "--json", "--ignore-scripts", "--pack-destination", into];
  const { stdout } = await promisify(execFile)("npm", words, {
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32",
  });
  const packed = JSON.parse(stdout) as readonly {
    readonly filename: string;
    readonly files: readonly { path: string }[];
  }[];
  return Object.fromEntries(
    packed.map(({ filename, files }, index) => [
      PACKAGES[index] ?? "",
      { tarball: join(into, filename), folder: stages[index] ?? "", files: files.map(({ path }) => path) },
    ]),
  );
}

/** Copies what a package publishes, with the versions of our packages in its manifest. */
function stagePackage(name: string, stage: string): string {
  const source = join(repository, "packages", name);
  const { files = [], ...manifest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;
  for (const path of [...files.filter((each) => !each.startsWith("!")), "README.md", "LICENSE"]) {
    const from = path === "templates" ? join(repository, path) : join(source, path);
    if (existsSync(from)) cpSync(from, join(stage, path), { recursive: true });
  }
  execFileSync(process.execPath, [SHIP_TYPES, name, stage]);
  const numbered = (ranges: Ranges = {}): Ranges =>
    Object.fromEntries(
      Object.entries(ranges).map(([dependency, range]) => [
        dependency,
        range.startsWith("workspace:") ? manifest.version : range,
      ]),
    );
  const dependencies = numbered(manifest.dependencies);
  const peerDependencies = numbered(manifest.peerDependencies);
  const exports = keepPublished(manifest.exports);
  writeFileSync(
    join(stage, "package.json"),
    JSON.stringify({ ...manifest, exports, files, dependencies, peerDependencies }),
  );
  return stage;
}
