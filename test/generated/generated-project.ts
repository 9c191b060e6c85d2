import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compile, type CompilePlan, type CompileResult } from "hasp";
import { readDocumentedTsconfig } from "../documented-tsconfig.js";
import { LIBRARY_CHECK } from "../sample.js";
import { completePlan } from "@hasp/compiler/model";

/** A spec as its author would write it, by file name. */
export interface SpecFiles {
  readonly [path: string]: object;
}

const DIALECTS = [
  "anthropic",
  "gemini",
  "gemini-json-schema",
  "mcp",
  "openai-chat",
  "openai-responses",
  "openai-responses-strict",
] as const;

/** A plan for the dialects of the SDKs that are in this workspace. */
export const plan: CompilePlan = completePlan({
  dialects: DIALECTS.map((id) => ({ id, strict: "auto", onUncarried: "exclude" })),
  jsonLists: true,
  unlocked: true,
  today: "2027-01-01",
});

/** Compiles specs given as data. */
export function compileSpecs(specs: SpecFiles, changes: Partial<CompilePlan> = {}): Promise<CompileResult> {
  const sources = Object.entries(specs).map(([uri, spec]) => ({
    uri,
    role: "spec" as const,
    text: JSON.stringify(spec),
  }));
  return compile(sources, { ...plan, ...changes });
}

/** The settings that a strict user adds to those of the page "Get started". */
const strictest = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  declaration: true,
  isolatedDeclarations: true,
};

/** A project on disk that holds what a build wrote. */
export interface GeneratedProject {
  readonly root: string;
  /**
   * Compiles to `dist` and returns the errors of the type-checker; empty if there are none. The settings are those of
   * the page "Get started", or `strictest` in addition.
   */
  typeErrors(settings?: "documented" | "strictest"): string;
  write(path: string, text: string): void;
  /** Runs a module of the project and gives back what it printed. */
  run(path: string, ...nodeOptions: readonly string[]): string;
  remove(): void;
}

/** Puts the files of a build into a project of its own, with this workspace's packages installed. */
export function createProject(result: Pick<CompileResult, "files">): GeneratedProject {
  const root = mkdtempSync(join(tmpdir(), "hasp-generated-"));
  const modules = join(import.meta.dirname, "../node_modules");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  symlinkSync(modules, join(root, "node_modules"));
  write("package.json", '{ "type": "module", "private": true }');
  write("tsconfig.json", readDocumentedTsconfig());
  write("tsconfig.strictest.json", JSON.stringify({ extends: "./tsconfig.json", compilerOptions: strictest }));
  for (const { path, text } of result.files) write(path, text);
  return {
    root,
    write,
    typeErrors: (settings = "documented") => {
      const file = settings === "documented" ? "tsconfig.json" : "tsconfig.strictest.json";
      try {
        execFileSync(
          join(modules, ".bin/tsc"),
          ["-p", file, ...LIBRARY_CHECK, "--typeRoots", join(import.meta.dirname, "../../node_modules/@types")],
          { cwd: root, encoding: "utf8", stdio: "pipe" },
        );
        return "";
      } catch (error) {
        return typeof error === "object" && error !== null && "stdout" in error ? String(error.stdout) : String(error);
      }
    },
    run: (path, ...nodeOptions) =>
      execFileSync(process.execPath, [...nodeOptions, path], { cwd: root, encoding: "utf8" }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
