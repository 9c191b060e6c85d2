import { Project, type SourceFile, ts } from "ts-morph";

// This file alone knows the parser, and is loaded only where TypeScript is read: it costs more than a small build.
export { Node, type SourceFile, ts } from "ts-morph";

/** A module as TypeScript's own parser sees it. */
interface ParsedModule {
  readonly path: string;
  readonly source: SourceFile;
  /** Syntax errors; empty for a sound module. */
  readonly syntaxErrors: readonly string[];
}

/** Parses modules, each by itself: nothing is looked up and nothing is run. */
export function parseModules(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly ParsedModule[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, noResolve: true, target: ts.ScriptTarget.ES2022 },
  });
  const sources = files.map(({ path, text }) => ({ path, source: project.createSourceFile(`/${path}`, text) }));
  const program = project.getProgram();
  return sources.map(({ path, source }) => ({
    path,
    source,
    syntaxErrors: program.getSyntacticDiagnostics(source).map((diagnostic) => String(diagnostic.getMessageText())),
  }));
}
