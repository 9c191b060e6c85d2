// Says in one line how many tests did not run because a program is missing, and which package installs it.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Programs that some tests drive, by the names of Debian's packages. */
const PROGRAMS = [
  { package: "chromium", program: "chromium", modules: ["catalogue/catalogue", "catalogue/right-to-left"] },
  { package: "neovim", program: "nvim", modules: ["lsp/neovim"] },
  { package: "nginx-light", program: "nginx", modules: ["clients/serve-behind-nginx"] },
];

/** Finds a program as the tests that drive it do. Debian keeps nginx outside the PATH of users. */
export function findProgram(program: string): string | undefined {
  return [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/sbin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

export default class MissingPrograms implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const missing = PROGRAMS.filter(({ program }) => findProgram(program) === undefined).map((each) => ({
      ...each,
      tests: modules
        .filter(({ moduleId }) => each.modules.some((name) => moduleId.endsWith(`test/${name}.slow.test.ts`)))
        .flatMap((module) => [...module.children.allTests("skipped")]),
    }));
    const names = missing.filter(({ tests }) => tests.length > 0).map((each) => each.package);
    const count = missing.reduce((sum, { tests }) => sum + tests.length, 0);
    if (count > 0) process.stdout.write(`${count} tests did not run. They need: apt-get install ${names.join(" ")}\n`);
  }
}
