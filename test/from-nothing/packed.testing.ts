// The packages as `npm publish` would upload them, installed into a folder without a registry.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { askFor } from "../ask-for.testing.js";
import type { Packed } from "./pack-all.js";

const repository = resolve(import.meta.dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Asks for the packages as they are published, by the names of their folders. They are packed once per run. */
export async function packages(): Promise<Readonly<Record<string, Packed>>> {
  return askFor("tarballs");
}

/**
 * Installs tarballs, with what they depend on from our own store, and what a project needs beside them. `peers` are
 * optional packages that the project installs; `wanted` are the folders of the packages, if not all are.
 */
export async function installPacked(
  folder: string,
  peers: readonly string[] = [],
  wanted?: readonly string[],
): Promise<void> {
  const modules = join(folder, "node_modules");
  const all = await packages();
  const installed = new Set(wanted ?? Object.keys(all));
  // A set that grows while it is walked is walked to its new end.
  for (const name of installed) {
    const target = join(modules, name === "hasp" ? name : `@hasp/${name}`);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", all[name]?.tarball ?? name, "--strip-components=1", "-C", target]);
    const store = join(repository, "packages", name, "node_modules");
    for (const dependency of Object.keys(manifestIn(target).dependencies ?? {})) {
      if (dependency.startsWith("@hasp/")) installed.add(dependency.slice("@hasp/".length));
      else link(join(store, dependency), join(modules, dependency));
    }
  }
  for (const peer of peers) link(join(repository, "test/node_modules", peer), join(modules, peer));
  link(join(repository, "node_modules/typescript"), join(modules, "typescript"));
  link(join(repository, "node_modules/@types/node"), join(modules, "@types/node"));
  const bins = { hasp: "hasp/bin/hasp.js", tsc: "typescript/bin/tsc" };
  for (const [name, path] of Object.entries(bins)) {
    if (!existsSync(join(modules, path))) continue;
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(join("..", path), join(modules, ".bin", name));
  }
  const bin = join(modules, "hasp/bin/hasp.js");
  if (existsSync(bin)) chmodSync(bin, 0o755);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) symlinkSync(realpathSync(from), to);
}

/** Measures the install of one package with all of its dependencies. */
export function installedCost(folder: string): { readonly packages: number; readonly megabytes: number } {
  const installed = new Set([realpathSync(folder)]);
  // A set that grows while it is walked is walked to its new end.
  for (const home of installed) {
    const { dependencies = {}, optionalDependencies = {} } = manifestIn(home);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findInstalled(home, name);
      // Packages for other systems are not installed.
      if (found !== undefined) installed.add(found);
      else if (!Object.hasOwn(optionalDependencies, name)) throw new Error(`${home} lacks ${name}`);
    }
  }
  const bytes = [...installed].reduce((sum, home) => sum + sizeOf(home), 0);
  return { packages: installed.size, megabytes: bytes / 1e6 };
}

function findInstalled(from: string, name: string): string | undefined {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

/** The bytes of a package's own files, as npm counts its unpacked size. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
