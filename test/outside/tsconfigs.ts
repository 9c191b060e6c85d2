// Settings of TypeScript under which users compile what hasp generates.
import { readDocumentedTsconfig } from "../documented-tsconfig.js";

/** The compilers, the smallest supported one first, by the packages that hold them. */
export const COMPILERS = {
  "5.6": "typescript-5.6",
  "5.9": "typescript-5.9",
  "6.0": "typescript-6.0",
  "7.0": "typescript-7.0",
} as const;

export type Compiler = keyof typeof COMPILERS;

/** A `tsconfig.json` of a user's. */
interface Settings {
  /** The words of the page's first column. */
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Options that are younger than the smallest compiler, with the first that knows them. */
  readonly youngerOptions?: Readonly<Record<string, Compiler>>;
  /** True for a host whose files are CommonJS. */
  readonly isCommonJs?: boolean;
  /** By compiler that cannot compile a project with these settings: why, and the error that it reports. */
  readonly excluded?: Readonly<Partial<Record<Compiler, { readonly why: string; readonly fails: string }>>>;
}

/** The options of the `tsconfig.json` that the first page of the documentation shows. */
export function readStartOptions(): Readonly<Record<string, unknown>> {
  const written = JSON.parse(readDocumentedTsconfig()) as {
    readonly compilerOptions: Readonly<Record<string, unknown>>;
  };
  return written.compilerOptions;
}

const start = readStartOptions();

export const SETTINGS = {
  start: { title: "[get started](../start.md#a-project)", options: start },
  "not-strict": { title: "the same, `strict: false`", options: { ...start, strict: false } },
  exact: {
    title: "the same, with every option that is stricter than `strict`",
    options: {
      ...start,
      allowUnreachableCode: false,
      exactOptionalPropertyTypes: true,
      noFallthroughCasesInSwitch: true,
      noImplicitOverride: true,
      noImplicitReturns: true,
      noPropertyAccessFromIndexSignature: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
    },
  },
  modules: {
    title: "the same, with `verbatimModuleSyntax`, `isolatedDeclarations` and `erasableSyntaxOnly`",
    options: {
      ...start,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      declaration: true,
      isolatedDeclarations: true,
      erasableSyntaxOnly: true,
    },
    youngerOptions: { erasableSyntaxOnly: "5.9" },
  },
  "no-dom": { title: "the same, `lib` without DOM", options: { ...start, lib: ["es2023"] } },
  next: {
    title: "Next.js 16",
    options: {
      target: "ES2017",
      lib: ["dom", "dom.iterable", "esnext"],
      allowJs: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: "esnext",
      moduleResolution: "bundler",
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: "react-jsx",
    },
  },
  vite: {
    title: "Vite 8",
    options: {
      target: "es2023",
      module: "esnext",
      lib: ["ES2023", "DOM"],
      types: ["vite/client"],
      allowArbitraryExtensions: true,
      skipLibCheck: true,
      strict: true,
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      moduleDetection: "force",
      noEmit: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      noFallthroughCasesInSwitch: true,
    },
    youngerOptions: { erasableSyntaxOnly: "5.9" },
  },
  nest: {
    title: "NestJS 11, a CommonJS host",
    options: {
      module: "nodenext",
      moduleResolution: "nodenext",
      resolvePackageJsonExports: true,
      esModuleInterop: true,
      isolatedModules: true,
      declaration: true,
      removeComments: true,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      allowSyntheticDefaultImports: true,
      target: "ES2023",
      sourceMap: true,
      skipLibCheck: true,
      strictNullChecks: true,
      forceConsistentCasingInFileNames: true,
      noImplicitAny: false,
      strictBindCallApply: false,
      noFallthroughCasesInSwitch: false,
      types: ["node"],
      rootDir: "src",
      outDir: "dist",
    },
    isCommonJs: true,
    excluded: {
      "5.6": { why: "TypeScript lets a CommonJS file import ES modules, as Node does, from 5.8 on.", fails: "TS1479" },
    },
  },
} as const satisfies Readonly<Record<string, Settings>>;

export type SettingsName = keyof typeof SETTINGS;

/** Finds why a compiler cannot compile a project with these settings. */
export function findExclusion(
  name: SettingsName,
  compiler: Compiler,
): { readonly why: string; readonly fails: string } | undefined {
  const { excluded }: Settings = SETTINGS[name];
  return excluded?.[compiler];
}

/** The `tsconfig.json` of some settings, without the options that a compiler does not know. */
export function printSettings(name: SettingsName, compiler: Compiler): string {
  const { options, youngerOptions = {} }: Settings = SETTINGS[name];
  const order = Object.keys(COMPILERS);
  const known = Object.entries(options).filter(([option]) => {
    const since = youngerOptions[option];
    return since === undefined || order.indexOf(compiler) >= order.indexOf(since);
  });
  return JSON.stringify({ compilerOptions: { ...Object.fromEntries(known), noEmit: true }, include: ["src"] });
}
