import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { readDocumentedTsconfig } from "../documented-tsconfig.js";
import { LIBRARY_CHECK } from "../sample.js";

/** The folder in which a guide is followed. */
export interface GuideFolder {
  readonly root: string;
  /** Without CI's own settings, and with the packages' commands on the path. */
  readonly environment: Record<string, string>;
  write(path: string, text: string): void;
  /** Type-checks all TypeScript in the folder and returns the errors; empty if there are none. */
  typeErrors(options?: readonly string[]): string;
  remove(): void;
}

const modules = resolve(import.meta.dirname, "../node_modules");

/**
 * An empty project: a package, and what a reader of the guides has installed, here or in folders of other projects. `as`
 * names what is installed under the name of another package.
 */
export function createFolder(
  others: readonly string[] = [],
  as: { readonly [name: string]: string } = {},
): GuideFolder {
  const root = mkdtempSync(join(tmpdir(), "hasp-guide-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  // A folder of links, not a link to the folder: what is put into it stays in this project.
  mkdirSync(join(root, "node_modules"));
  for (const name of readdirSync(modules).filter((entry) => !/^\.(?!bin$)|^@types$/u.test(entry))) {
    symlinkSync(join(modules, as[name] ?? name), join(root, "node_modules", name));
  }
  symlinkSync(resolve(modules, "../../node_modules/@types"), join(root, "node_modules/@types"));
  for (const other of others) symlinkSync(other, join(root, "node_modules", basename(other)));
  write("package.json", '{ "name": "guide", "private": true, "type": "module" }\n');
  write("tsconfig.json", readDocumentedTsconfig());
  const { CI: _ci, FORCE_COLOR: _force, NO_COLOR: _no, HASP_CONFIG: _config, ...inherited } = process.env;
  const environment: Record<string, string> = {
    ...inherited,
    PATH: [join(modules, ".bin"), inherited["PATH"]].join(delimiter),
    // What hasp and turbo keep of a user's is kept in the folder, too.
    XDG_CACHE_HOME: join(root, ".cache"),
    // What npx warns of is this machine's.
    npm_config_loglevel: "error",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
  };
  return {
    root,
    environment,
    write,
    typeErrors: (options = []) => {
      const source = join(root, "src");
      const paths = existsSync(source) ? readdirSync(source, { recursive: true, encoding: "utf8" }) : [];
      if (!paths.some((path) => path.endsWith(".ts"))) return "";
      const { stdout, stderr } = spawnSync(join(modules, ".bin/tsc"), ["--noEmit", ...LIBRARY_CHECK, ...options], {
        cwd: root,
        env: environment,
        encoding: "utf8",
      });
      return `${stdout}${stderr}`;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
