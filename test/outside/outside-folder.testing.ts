// A folder outside the repository with the packed packages and projects of a user's.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installPacked } from "../from-nothing/packed.testing.js";

/** The folder of the tools that this part of the tests installs: compilers, bundlers, runtimes. */
export const TOOLS: string = join(import.meta.dirname, "node_modules");

/** A program's exit code and all that it has printed. */
export interface Ran {
  readonly code: number;
  readonly out: string;
}

export interface Outside {
  readonly root: string;
  /** Runs a program in a folder below the root. It sees neither CI nor the user's cache. */
  run(folder: string, program: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** Runs the installed `hasp`. */
  hasp(folder: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** Puts files into a folder below the root. */
  write(folder: string, files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/** Variables of CI, of pnpm and of the tests, which no user's shell has. `NODE_PATH` would lead to packages of ours. */
const OWN_VARIABLES = /^(?:CI|FORCE_COLOR|HASP_.*|NODE_.*|VITEST.*|npm_.*|PNPM_.*|INIT_CWD)$/u;

/** Runs a program in a folder, as a user's shell does. */
export async function runProgram(
  folder: string,
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name)));
  const options = { cwd: folder, env: { ...inherited, NO_COLOR: "1", ...env }, maxBuffer: 2 ** 26 };
  return new Promise((done) => {
    execFile(program, words, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      const failure = error !== null && typeof error.code !== "number" ? String(error) : "";
      done({ code, out: stdout + stderr + failure });
    });
  });
}

/** Creates the folder. `others` are packages that the user installs beside those of hasp. */
export async function createOutside(others: readonly string[] = []): Promise<Outside> {
  const root = mkdtempSync(join(tmpdir(), "hasp-outside-"));
  await installPacked(root);
  for (const name of others) {
    mkdirSync(dirname(join(root, "node_modules", name)), { recursive: true });
    symlinkSync(realpathSync(join(TOOLS, name)), join(root, "node_modules", name));
  }
  cpSync(join(import.meta.dirname, "../from-nothing/hasp-plugin"), join(root, "node_modules/@acme/hasp-plugin"), {
    recursive: true,
  });
  const cache = { XDG_CACHE_HOME: join(root, ".cache") };
  const run: Outside["run"] = async (folder, program, words, env) =>
    runProgram(join(root, folder), program, words, { ...cache, ...env });
  return {
    root,
    run,
    hasp: async (folder, words, env) =>
      run(folder, process.execPath, [join(root, "node_modules/hasp/bin/hasp.js"), ...words], env),
    write(folder, files) {
      for (const [path, text] of Object.entries(files)) {
        const target = join(root, folder, path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
