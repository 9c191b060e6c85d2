import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { dialects } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import PACKAGES from "../packages/hasp/scripts/packages.json" with { type: "json" };
import { NODE_SUBPATHS } from "./node-subpaths.js";
import { SOURCE_PACKAGES } from "./source-packages.js";

const root = resolve(import.meta.dirname, "..");

/** True for an entry of a package: it passes on names of any folder, and no folder imports it. */
const isDoor = (path: string): boolean => /^packages\/[^/]+\/src\/(?:doors\/.*|index\.ts$)/u.test(path);

/** Every file below a folder with one of the endings, as paths relative to the repository's root. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/\.(test|testing)\.ts$|\.d\.ts$|node_modules/.test(path))
    .toSorted();
}

/**
 * Reads the imports of a module: static, re-exported and dynamic. Types count too: a type is a dependency of the
 * reader.
 */
function importsOf(path: string): string[] {
  const code = readFileSync(join(root, path), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  const specifiers = code.matchAll(
    /(?:^|[;}\s])(?:import|export)\s(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...specifiers].map((match) => match[1] ?? match[2] ?? "");
}

/** The repository path that a relative import of a source file leads to. */
function targetOf(path: string, specifier: string): string {
  return relative(root, resolve(join(root, dirname(path)), specifier)).replace(/\.js$/, ".ts");
}

const isPublished = (name: string): boolean => PACKAGES.includes(name);
const isRelative = (specifier: string): boolean => specifier.startsWith(".");
const isBuiltin = (specifier: string): boolean => specifier.startsWith("node:") || builtinModules.includes(specifier);

/** Sources of a package as `path → imports`; never empty, so that a moved folder cannot make a check pass. */
function sourcesOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const sources = new Map(filesBelow(folder, ".ts").map((path) => [path, importsOf(path)]));
  expect(sources.size, `${folder} has sources`).toBeGreaterThan(3);
  return sources;
}

function offenders(folder: string, isForbidden: (path: string, specifier: string) => boolean): string[] {
  return [...sourcesOf(folder)].flatMap(([path, imports]) =>
    imports.filter((specifier) => isForbidden(path, specifier)).map((specifier) => `${path} imports ${specifier}`),
  );
}

/** The packages that each package may import, beside what these import. */
const ARROWS: { readonly [name: string]: readonly string[] } = {
  base: [],
  schema: ["base"],
  runtime: ["schema"],
  testing: ["runtime"],
  stores: ["runtime"],
  adapters: ["runtime"],
  programs: ["runtime"],
  compiler: ["runtime"],
  handlers: ["compiler"],
  mcp: ["compiler"],
  builtin: ["handlers", "mcp"],
  report: ["compiler"],
  project: ["builtin"],
  import: ["project"],
  catalogue: ["project", "report"],
  "language-server": ["project", "report"],
  serve: ["project", "handlers", "mcp", "stores", "adapters", "programs", "testing"],
  hasp: [
    "stores",
    "adapters",
    "mcp",
    "programs",
    "testing",
    "handlers",
    "compiler",
    "report",
    "project",
    "import",
    "catalogue",
    "language-server",
    "serve",
  ],
};

describe("packages import downwards only", () => {
  const packageOf = (path: string, specifier: string): string | undefined =>
    isRelative(specifier)
      ? /^packages\/([^/]+)\//.exec(targetOf(path, specifier))?.[1]
      : /^@hasp\/([^/]+)/.exec(specifier)?.[1];
  const reached = (name: string): readonly string[] => [name, ...(ARROWS[name] ?? []).flatMap(reached)];

  test("no relative import leaves a package", () => {
    const leaves = (path: string, specifier: string): boolean =>
      isRelative(specifier) && packageOf(path, specifier) !== packageOf("", `@hasp/${path.split("/")[1]}`);
    expect(SOURCE_PACKAGES.flatMap((name) => offenders(`packages/${name}/src`, leaves))).toEqual([]);
  });

  test("every package has its arrows", () => {
    expect(Object.keys(ARROWS).toSorted()).toEqual([...SOURCE_PACKAGES].toSorted());
  });

  test.each(SOURCE_PACKAGES)("packages/%s imports what its arrows lead to", (name) => {
    const allowed = reached(name);
    const foreign = (path: string, specifier: string): boolean => {
      const target = packageOf(path, specifier);
      return target !== undefined && !allowed.includes(target);
    };
    expect(offenders(`packages/${name}/src`, foreign)).toEqual([]);
  });

  test.each(SOURCE_PACKAGES)("turbo runs the tests of packages/%s after a change of whatever they read", (name) => {
    const [source, settings] = [join(root, "packages", name, "src"), join(root, "packages", name, "turbo.json")];
    const inputs = existsSync(settings) ? readFileSync(settings, "utf8") : "";
    const tests = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.test(?:ing)?\.ts$/u.test(path),
    );
    const unseen = tests.flatMap((path) => {
      const text = readFileSync(join(source, path), "utf8");
      const file = `packages/${name}/src/${path}`;
      const read = [
        ...importsOf(file).flatMap((specifier) => packageOf(file, specifier) ?? []),
        ...[...text.matchAll(/["'`](?:\.\.\/)+(tools-spec|templates|test|hasp\/docs)\b/gu)].map(
          ([, folder = ""]) => folder,
        ),
      ];
      return read
        .filter((each) => !reached(name).includes(each) && !inputs.includes(each))
        .map((each) => `${file} reads ${each}`);
    });
    expect(unseen).toEqual([]);
  });

  test.each(SOURCE_PACKAGES)("turbo builds packages/%s after a change of whatever it imports", (name) => {
    const declared = (each: string): readonly string[] => {
      const manifest = JSON.parse(readFileSync(join(root, "packages", each, "package.json"), "utf8")) as {
        readonly [kind in "dependencies" | "devDependencies"]?: { readonly [dependency: string]: string };
      };
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
        .filter((dependency) => dependency.startsWith("@hasp/"))
        .map((dependency) => dependency.slice("@hasp/".length));
    };
    const built = new Set([name]);
    for (const each of built) for (const dependency of declared(each)) built.add(dependency);
    const isUnseen = (path: string, specifier: string): boolean => {
      const target = packageOf(path, specifier);
      return target !== undefined && !built.has(target);
    };
    expect(offenders(`packages/${name}/src`, isUnseen)).toEqual([]);
  });

  test("@hasp/schema imports nothing but itself and the ground, which imports nothing", () => {
    const isGround = (specifier: string): boolean => specifier.startsWith("@hasp/base/");
    expect(
      offenders("packages/schema/src", (_path, specifier) => !isRelative(specifier) && !isGround(specifier)),
    ).toEqual([]);
    expect(offenders("packages/base/src", (_path, specifier) => !isRelative(specifier))).toEqual([]);
  });

  test("@hasp/runtime imports the validator, codecs and vocabulary of @hasp/schema, and its types", () => {
    const core = ["validate", "codec", "vocabulary", "internal/entries", "internal/keywords", "internal/runtime"].map(
      (name) => `@hasp/schema/${name}`,
    );
    expect(
      offenders("packages/runtime/src", (path, specifier) => {
        if (isRelative(specifier) || specifier.startsWith("@hasp/base/")) return false;
        if (core.includes(specifier)) return false;
        return !/^@hasp\/schema(?:\/internal)?$/u.test(specifier) || !importsOnlyTypes(path, specifier);
      }),
    ).toEqual([]);
  });

  test("the kernel of a dispatcher reaches no extension, no validator and no maker of tools", () => {
    const sources = sourcesOf("packages/runtime/src");
    const reached = new Set(["packages/runtime/src/dispatch/kernel.ts"]);
    for (const path of reached) {
      for (const specifier of sources.get(path) ?? []) {
        if (!isRelative(specifier) || importsOnlyTypes(path, specifier)) continue;
        reached.add(targetOf(path, specifier));
      }
    }
    expect(reached.size).toBeGreaterThan(30);
    const isForbidden = (path: string): boolean =>
      /src\/(?:extensions\/|tool\/(?:make-tool|tool)\.ts$)/u.test(path) ||
      /\bcreate(?:Validator|Decoder)\b/u.test(readFileSync(join(root, path), "utf8"));
    expect([...reached].filter(isForbidden)).toEqual([]);
  });

  test("a subpath is not reached by the core", () => {
    const isSubpath = /src\/providers\//u;
    expect(
      offenders("packages/runtime/src", (path, specifier) => {
        if (!isRelative(specifier) || isSubpath.test(path) || isDoor(path)) return false;
        return isSubpath.test(targetOf(path, specifier));
      }),
    ).toEqual([]);
  });
});

describe("the phases of the compiler import downwards only", () => {
  const source = "packages/compiler/src";
  /** The plugin with the rules and emitters. */
  const builtin = "packages/builtin/src";
  const both = (): ReadonlyMap<string, readonly string[]> => new Map([...sourcesOf(source), ...sourcesOf(builtin)]);
  const phaseOf = (path: string): number | undefined => {
    const digit = /src\/phases\/(\d)-/.exec(path)?.[1];
    return digit === undefined ? undefined : Number(digit);
  };

  test("no phase imports a later one", () => {
    expect(
      offenders(source, (path, specifier) => {
        const from = phaseOf(path);
        const to = isRelative(specifier) ? phaseOf(targetOf(path, specifier)) : undefined;
        return from !== undefined && to !== undefined && to > from;
      }),
    ).toEqual([]);
  });

  test("nothing below the command line imports it", () => {
    const home = "packages/hasp/src";
    expect(
      offenders(
        home,
        (path, specifier) =>
          path.startsWith(`${home}/`) &&
          !path.startsWith(`${home}/cli/`) &&
          isRelative(specifier) &&
          targetOf(path, specifier).startsWith(`${home}/cli/`),
      ),
    ).toEqual([]);
  });

  test.each(["handlers", "mcp"])(
    "the code of packages/%s that compiles specs and the code that runs calls import each other by name alone",
    (name) => {
      const build = `packages/${name}/src/build/`;
      const compiles = (path: string): boolean => path.startsWith(build);
      const crosses = (path: string, specifier: string): boolean =>
        isRelative(specifier)
          ? compiles(path) !== compiles(targetOf(path, specifier))
          : !compiles(path) && /^@hasp\/(?:compiler|\w+\/build)\b/u.test(specifier);
      expect(existsSync(join(root, build, "index.ts"))).toBe(true);
      expect(offenders(`packages/${name}/src`, crosses)).toEqual([]);
    },
  );

  test("no phase, rule, ledger or model knows of the cache or of progress", () => {
    const seam = /\/compiler\/src\/(?:cached-steps|context\/compile-cache)\.ts$/u;
    const below = /\/compiler\/src\/(?!(?:cached-steps|steps-of-tools|compile|diff\/version)\.ts$)/u;
    expect(
      offenders(
        source,
        (path, specifier) =>
          below.test(path) && !isDoor(path) && isRelative(specifier) && seam.test(targetOf(path, specifier)),
      ),
    ).toEqual([]);
  });

  test("the compiler touches no disk, clock or environment", () => {
    const impure = /^(node:)?(fs|fs\/promises|child_process|os|process|net|http|https|worker_threads)$/;
    const isImpure = (_path: string, specifier: string): boolean => impure.test(specifier);
    expect([...offenders(source, isImpure), ...offenders(builtin, isImpure)]).toEqual([]);
    const ambient = [...both().keys()].filter((path) =>
      /\bDate\.now\(|new Date\(\)|\bprocess\.(env|cwd|argv)\b|Math\.random\(/.test(
        readFileSync(join(root, path), "utf8"),
      ),
    );
    expect(ambient).toEqual([]);
  });

  test("parsers and formatters are known to one file each, and the slow ones loaded only when called", () => {
    const usersOf = (name: string): readonly string[] =>
      [...both()].filter(([, imports]) => imports.includes(name)).map(([path]) => path);
    for (const name of ["oxfmt", "prettier"]) {
      expect(usersOf(name)).toEqual([`${source}/typescript/format.ts`]);
      expect(readFileSync(join(root, source, "typescript/format.ts"), "utf8")).not.toMatch(
        new RegExp(`from "${name}"`, "u"),
      );
    }
    const parsers = usersOf("ts-morph");
    expect(parsers).toEqual([`${builtin}/typescript/parser.ts`]);
    // What is built on the parser is itself loaded when called.
    const built = new Set(parsers);
    const lazy = [`${builtin}/typescript/add-exports.ts`];
    const inner = [...both().keys()].filter((path) => !isDoor(path));
    for (const path of inner) if (importsEagerly(path, [...built, ...lazy])) built.add(path);
    expect([...built].toSorted()).toEqual([...parsers, ...lazy].toSorted());
  });

  test("only `printCreator` prints a function that returns a literal, with the literal's type", () => {
    const others = [...both().keys()].filter((path) =>
      /code`[^`\n]*=> (?:\((?:\{|\$)|\[|\$\{(?:literal|print(?:Object|Line)))/u.test(
        readFileSync(join(root, path), "utf8"),
      ),
    );
    expect(others).toEqual([]);
  });

  test("only these files mark text as code", () => {
    const users = [...both().keys()].filter((path) => /\bmarkAsCode\(/u.test(readFileSync(join(root, path), "utf8")));
    expect(users.toSorted()).toEqual([
      `${builtin}/emitters/definition-modules.ts`,
      `${builtin}/emitters/policy-modules.ts`,
      `${builtin}/emitters/spec-modules.ts`,
      `${builtin}/emitters/stubs.ts`,
      `${source}/typescript/code.ts`,
    ]);
  });
});

/** All sources of the packages with their imports. */
const everywhere = SOURCE_PACKAGES.flatMap((name) => [...sourcesOf(`packages/${name}/src`)]);

describe("folders answer questions", () => {
  /** An index that `pnpm gen` writes lists the files of its folder; it depends on none of them. */
  const isGenerated = (path: string): boolean =>
    readFileSync(join(root, path), "utf8").startsWith("// Written by `pnpm gen`");
  /** Each pair of folders of which the first imports the second, as `from > to`. */
  const edges = new Set(
    everywhere
      .filter(([path]) => !isGenerated(path) && !isDoor(path))
      .flatMap(([path, imports]) =>
        imports
          .filter(isRelative)
          .map((specifier) => [dirname(path), dirname(targetOf(path, specifier))])
          .filter(([from, to]) => from !== to)
          .map(([from, to]) => `${from} > ${to}`),
      ),
  );

  test("beside the tables of sources and of endpoints, only generated modules list the dialects", () => {
    const camel = (id: string): string => id.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
    const forms = Object.keys(dialects).map((id) => new RegExp(`["\`]${id}["\`]|\\b${camel(id)}\\b(?=[:,])`, "u"));
    const lists = everywhere
      .map(([path]) => path)
      .filter((path) => {
        const text = readFileSync(join(root, path), "utf8");
        return !isGenerated(path) && forms.filter((form) => form.test(text)).length > forms.length / 2;
      });
    expect(forms.length).toBeGreaterThan(10);
    // The types of these tables ask for each dialect.
    expect(lists).toEqual([
      "packages/schema/src/dialects/probe/endpoints.ts",
      "packages/schema/src/dialects/provenance.ts",
    ]);
  });

  test("no two folders import each other", () => {
    const mutual = [...edges].filter((edge) => {
      const [from = "", to = ""] = edge.split(" > ");
      return from < to && edges.has(`${to} > ${from}`);
    });
    expect(mutual).toEqual([]);
  });

  test.each(SOURCE_PACKAGES)("no two top-level folders of packages/%s import each other", (name) => {
    const source = `packages/${name}/src`;
    const folderOf = (path: string): string => relative(source, path).split("/").slice(0, -1)[0] ?? ".";
    const pairs = new Set(
      [...sourcesOf(source)].flatMap(([path, imports]) =>
        imports
          .filter((specifier) => isRelative(specifier) && !isDoor(path))
          .map((specifier) => targetOf(path, specifier))
          .map((target) => `${folderOf(path)} > ${folderOf(target)}`),
      ),
    );
    const mutual = [...pairs].filter((pair) => {
      const [from = "", to = ""] = pair.split(" > ");
      return from < to && pairs.has(`${to} > ${from}`);
    });
    expect(mutual).toEqual([]);
  });

  test("no folder holds more than 20 sources, beside the one with a file per command", () => {
    const folders = everywhere.map(([path]) => dirname(path)).filter((folder) => !folder.endsWith("/cli/commands"));
    const counts = new Map<string, number>();
    for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });
});

/** Packages, and parts of packages, whose folders form layers. */
const LAYERED = [
  "packages/runtime/src",
  "packages/stores/src",
  "packages/adapters/src",
  "packages/mcp/src",
  "packages/handlers/src",
  "packages/schema/src/lower",
  "packages/schema/src/dialects",
];

describe.each(LAYERED)("the folders of %s", (source) => {
  const folderOf = (path: string): string => dirname(relative(source, path));
  const sources = [...sourcesOf(source)].filter(([path]) => !isDoor(path));
  const edges = sources.flatMap(([path, imports]) =>
    imports
      .filter(isRelative)
      .map((specifier) => ({ from: folderOf(path), to: folderOf(targetOf(path, specifier)), path, specifier }))
      .filter(({ from, to }) => from !== to),
  );
  const importsOfFolder = new Map(sources.map(([path]) => [folderOf(path), new Set<string>()]));
  for (const { from, to } of edges) importsOfFolder.get(from)?.add(to);

  test("no folder holds more than twenty sources", () => {
    const counts = [...importsOfFolder.keys()].map(
      (folder) => [folder, sources.filter(([path]) => folderOf(path) === folder).length] as const,
    );
    expect(counts.filter(([, count]) => count > 20)).toEqual([]);
  });

  test("never import a folder above them", () => {
    const isAbove = (from: string, to: string): boolean => to === "." || from.startsWith(`${to}/`);
    expect(
      edges.filter(({ from, to }) => isAbove(from, to)).map(({ path, specifier }) => `${path} imports ${specifier}`),
    ).toEqual([]);
  });

  test("import each other in one direction only", () => {
    const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean => {
      if (seen.has(from)) return false;
      seen.add(from);
      return [...(importsOfFolder.get(from) ?? [])].some((to) => to === wanted || reaches(to, wanted, seen));
    };
    expect([...importsOfFolder.keys()].filter((folder) => reaches(folder, folder))).toEqual([]);
  });
});

/** The packages whose types need no Node, beside {@link NODE_SUBPATHS}. */
const PORTABLE = ["base", "schema", "runtime", "stores", "adapters", "mcp", "compiler", "builtin"];

describe("what must run anywhere uses no Node built-in", () => {
  test.each(["base", "schema", "runtime"])("the sources of %s import none", (name) => {
    expect(offenders(`packages/${name}/src`, (_path, specifier) => isBuiltin(specifier))).toEqual([]);
  });

  test("the type-checker sees no Node types there", () => {
    for (const name of PORTABLE) {
      const own = readFileSync(join(root, "packages", name, "tsconfig.json"), "utf8");
      expect(own).not.toContain('"types"');
      expect(own).not.toContain('"lib"');
    }
    const base = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8")) as {
      compilerOptions: { lib: string[]; types: string[] };
    };
    expect(base.compilerOptions.lib).toEqual(["es2023"]);
    expect(base.compilerOptions.types).toEqual([]);
  });

  test.each([...PORTABLE.filter(isPublished), "handlers"])("the built files of %s import none", (name) => {
    const folder = `packages/${name}/dist`;
    const built = filesBelow(folder, ".js").filter(
      (path) => !NODE_SUBPATHS.some((subpath) => path.startsWith(`${folder}/${subpath}/`)),
    );
    expect(built.length).toBeGreaterThan(1);
    const found = built.flatMap((path) =>
      importsOf(path)
        .filter(isBuiltin)
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(found).toEqual([]);
    const evaluating = built.filter((path) =>
      /\beval\(|\bnew Function\(|\brequire\(/.test(readFileSync(join(root, path), "utf8")),
    );
    expect(evaluating).toEqual([]);
  });
});

test("the top level of the repository holds what the design names, and no more", () => {
  const allowed = [
    "packages",
    "tools-spec",
    "templates",
    "test",
    "pnpm-workspace.yaml",
    "package.json",
    "tsconfig.base.json",
    "turbo.json",
    "README.md",
    "LICENSE",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "pnpm-lock.yaml",
    "node_modules",
  ];
  expect(readdirSync(root).filter((name) => !name.startsWith(".") && !allowed.includes(name))).toEqual([]);
});

function importsOnlyTypes(path: string, specifier: string): boolean {
  const code = readFileSync(join(root, path), "utf8");
  const statements = [...code.matchAll(/^\s*(import|export)\s+(type\s)?[^;]*?from\s+["']([^"']+)["']/gm)].filter(
    (match) => match[3] === specifier,
  );
  return statements.length > 0 && statements.every((match) => match[2] !== undefined);
}

function importsEagerly(path: string, targets: readonly string[]): boolean {
  const code = readFileSync(join(root, path), "utf8");
  return [...code.matchAll(/^\s*(?:import|export)\s+(type\s)?[^;]*?from\s+["']([^"']+)["']/gm)].some(
    (match) => match[1] === undefined && isRelative(match[2] ?? "") && targets.includes(targetOf(path, match[2] ?? "")),
  );
}
