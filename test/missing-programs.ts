// Says in one line how many tests did not run because a program is missing, and which package installs it.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Programs that some tests drive, by the names of Debian's packages. */
const PROGRAMS = [
  {
    package: "python3",
    program: "python3",
    modules: ["test/pages/other-languages.test.ts", "src/codec/python-reader.test.ts"],
  },
  {
    package: "chromium",
    program: "chromium",
    modules: ["catalogue/catalogue.slow.test.ts", "catalogue/right-to-left.slow.test.ts"],
  },
  { package: "neovim", program: "nvim", modules: ["lsp/neovim.slow.test.ts"] },
  { package: "nginx-light", program: "nginx", modules: ["clients/serve-behind-nginx.slow.test.ts"] },
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
        .filter(({ moduleId }) => each.modules.some((name) => moduleId.endsWith(`/${name}`)))
        .flatMap((module) => [...module.children.allTests("skipped")]),
    }));
    const names = missing.filter(({ tests }) => tests.length > 0).map((each) => each.package);
    const count = missing.reduce((sum, { tests }) => sum + tests.length, 0);
    if (count > 0) process.stdout.write(`${count} tests did not run. They need: apt-get install ${names.join(" ")}\n`);
  }
}
