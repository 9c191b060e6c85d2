import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CORE = "1.71.0";
const LIBSQL = "1.23.1";

/**
 * The folder of a project that has `@mastra/core` and `@mastra/libsql` installed, kept between runs. With what they need, they
 * are 160 MB, so that they are no dependencies of this repository. `undefined` where it cannot be installed.
 */
export function installMastra(): string | undefined {
  const folder = join(tmpdir(), `hasp-mastra-${CORE}-${LIBSQL}`);
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(`${folder}-`);
  writeFileSync(join(fresh, "package.json"), '{ "private": true, "type": "module" }\n');
  const { status } = spawnSync(
    "npm",
    [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      `@mastra/core@${CORE}`,
      `@mastra/libsql@${LIBSQL}`,
    ],
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
