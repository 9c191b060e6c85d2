// Where what is generated runs: each row is a test. The page "Where hasp runs" is printed from here.
import { COMPILERS, findExclusion, SETTINGS, type Compiler, type SettingsName } from "./tsconfigs.js";

interface Row {
  readonly title: string;
  /** A sentence about what a user does for it. */
  readonly how?: string;
}

/** Something that does not work, and a text by which it fails. */
interface Excluded extends Row {
  readonly why: string;
  readonly fails: string;
}

const COMPILED = "Compiled with `tsc`.";

const IN_SOURCE = "`emit: { importExtension: ts }` in the configuration.";

/** Programs that run the project. */
export const RUNTIMES = {
  "node-20": { title: "Node 20.19", how: COMPILED },
  "node-22": { title: "Node 22", how: COMPILED },
  "node-24": { title: "Node 24", how: COMPILED },
  "commonjs-20": { title: "Node 20.19, a CommonJS host", how: "Compiled with NestJS's settings." },
  "commonjs-22": { title: "Node 22, a CommonJS host", how: "Compiled with NestJS's settings." },
  "commonjs-24": { title: "Node 24, a CommonJS host", how: "Compiled with NestJS's settings." },
  "source-22": { title: "Node 22, without a compiler", how: IN_SOURCE },
  "source-24": { title: "Node 24, without a compiler", how: IN_SOURCE },
  rewritten: { title: "Node 20.19, with `rewriteRelativeImportExtensions`", how: `${IN_SOURCE} ${COMPILED}` },
  tsx: { title: "tsx" },
  "tsx-import": { title: "`node --import tsx`" },
  "tsx-options": { title: "`NODE_OPTIONS=--import=tsx`" },
  bun: { title: "Bun 1.4" },
  deno: { title: "Deno 2.9", how: `${COMPILED} \`--node-modules-dir=manual\`.` },
  "source-deno": { title: "Deno 2.9, without a compiler", how: `${IN_SOURCE} \`--node-modules-dir=manual\`.` },
} as const satisfies Readonly<Record<string, Row>>;

/** Programs that put the project into few files. */
export const BUNDLERS = {
  "esbuild-esm": { title: "esbuild, ES modules" },
  "esbuild-split": { title: "esbuild, minified with `--splitting`" },
  "esbuild-cjs": { title: "esbuild, CommonJS" },
  vite: { title: "Vite, `--ssr`" },
  webpack: { title: "webpack with ts-loader", how: '`resolve.extensionAlias: { ".js": [".ts", ".js"] }`.' },
  rollup: { title: "Rollup, after `tsc`" },
} as const satisfies Readonly<Record<string, Row>>;

/** Programs that check or format the whole project. */
export const LINTERS = {
  eslint: { title: "ESLint 10 with typescript-eslint, `strict`" },
  prettier: { title: "prettier", how: "`hasp init`." },
  biome: { title: "Biome 2", how: "`hasp init`; Biome formats new handlers once." },
} as const satisfies Readonly<Record<string, Row>>;

/** Programs that run a user's tests. */
export const TEST_RUNNERS = {
  "node-test": { title: "`node --test`", how: COMPILED },
  vitest: { title: "Vitest" },
  jest: {
    title: "Jest",
    how: "Compiled with `tsc`; `transform: {}`, and `node --experimental-vm-modules node_modules/jest/bin/jest.js`.",
  },
} as const satisfies Readonly<Record<string, Row>>;

/** Programs that install the packages. */
export const PACKAGE_MANAGERS = {
  npm: { title: "npm" },
  pnpm: { title: "pnpm" },
  "yarn-pnp": { title: "Yarn, Plug'n'Play", how: "`yarn node dist/main.js`." },
} as const satisfies Readonly<Record<string, Row>>;

/** Entry points whose declarations need the types of Node, even beside those of the DOM. */
export const NEED_NODE_TYPES: readonly string[] = ["@hasp/handlers/http", "@hasp/handlers/isolation"];

/** Cells that do not work, with the reason. */
export const EXCLUDED = {
  "rollup-waiting": {
    title: "Rollup with `inlineDynamicImports`, if the entry waits at its top level",
    why:
      "Rollup puts what is imported on the first call behind the entry, so that a call which needs it fails, with the effect `none`. " +
      "Let Rollup write chunks, or call an async function instead of waiting.",
    fails: "gated prepare-failed none",
  },
  "jest-cjs": {
    title: "Jest with CommonJS, its default",
    why: "The packages are ES modules only, and Jest's `require` loads none of these.",
    fails: "Must use import to load ES Module",
  },
} as const satisfies Readonly<Record<string, Excluded>>;

/** Prints the page. */
export function printPage(): string {
  const compilers = Object.keys(COMPILERS) as readonly Compiler[];
  const names = Object.keys(SETTINGS) as readonly SettingsName[];
  const settings = names.map((name) => [
    SETTINGS[name].title,
    ...compilers.map((compiler) => (findExclusion(name, compiler) === undefined ? "✓" : "–")),
  ]);
  const reasons = names.flatMap((name) => compilers.flatMap((compiler) => findExclusion(name, compiler)?.why ?? []));
  const rows = (group: Readonly<Record<string, Row>>): readonly (readonly string[])[] =>
    Object.values(group).map(({ title, how = "" }) => [title, how]);
  return `# Where hasp runs

The settings and programs under which what \`hasp build\` writes compiles and runs. This page is generated from \`test/outside/matrix.ts\`:
each cell is a test. It installs the packages as they are published in a folder outside of the repository, builds a project that has
everything which hasp can generate, and compiles it, or runs it and compares its answers. What is not listed was not tried.

## TypeScript

${table([["`tsconfig.json`", ...compilers], ...settings])}
${compilers[0]} is the smallest supported version; options that it does not know are left out. Compilers before 7.0 compile the lists of three providers, and
all lists once. ${reasons.join(" ")} The declarations need \`@types/node\`, or \`lib\` with DOM;
beside the DOM, only ${NEED_NODE_TYPES.map((entry) => `\`${entry}\``).join(" and ")} need \`@types/node\`.

## Runtimes

${table([["program", ""], ...rows(RUNTIMES)])}
## Bundlers

${table([["program", ""], ...rows(BUNDLERS)])}
A tool with \`handler.isolation\` needs [two files beside the bundle](../guides/handlers.md); without them, its calls fail, with the effect \`none\`,
and say where these files belong. Packages that are optional need not be installed to bundle.

## Linters and formatters

${table([["program", ""], ...rows(LINTERS)])}
## Test runners

${table([["program", ""], ...rows(TEST_RUNNERS)])}
## Package managers

${table([["program", ""], ...rows(PACKAGE_MANAGERS)])}
## What does not run

${table([["", "why"], ...Object.values(EXCLUDED).map(({ title, why }) => [title, why])])}`;
}

/** Prints a table, its head first. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
