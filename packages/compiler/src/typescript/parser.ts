import { Project, type SourceFile, ts } from "ts-morph";

// Only this file loads the parser, which costs more than a small build.
export { Node, type SourceFile, ts } from "ts-morph";

interface ParsedModule {
  readonly path: string;
  readonly source: SourceFile;
  readonly syntaxErrors: readonly string[];
}

/** Parses modules one by one, without resolving or running anything. */
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
