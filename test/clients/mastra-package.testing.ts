import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSION = "1.71.0";

/**
 * The folder of a project that has `@mastra/core` installed, kept between runs. The package and what it needs are 130 MB,
 * so that it is no dependency of this repository. `undefined` where it cannot be installed.
 */
export function installMastra(): string | undefined {
  const folder = join(tmpdir(), `hasp-mastra-${VERSION}`);
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(`${folder}-`);
  writeFileSync(join(fresh, "package.json"), '{ "private": true, "type": "module" }\n');
  const { status } = spawnSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", `@mastra/core@${VERSION}`],
    { cwd: fresh, stdio: "ignore", timeout: 240_000, shell: process.platform === "win32" },
  );
  try {
    // Whoever comes first wins; the folder is whole as soon as it has its name.
    if (status === 0) renameSync(fresh, folder);
  } catch {
    // Another run was faster.
  }
  rmSync(fresh, { recursive: true, force: true });
  return existsSync(folder) ? folder : undefined;
}
