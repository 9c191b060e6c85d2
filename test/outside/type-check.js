// node type-check.js <package of a compiler> <tsconfig.json>…: prints the errors under each tsconfig as a list of JSON. One
// process for all of them, since a compiler is slow until its own code is hot, and most settings parse the same files alike.
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";

const [compiler, ...paths] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);

const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => "\n",
};

/** The options by which a compiler parses and binds a file: those that it marks, and those from which it derives others. */
const READING = [
  "strict",
  "isolatedModules",
  "verbatimModuleSyntax",
  ...ts.optionDeclarations.flatMap(({ name, affectsSourceFile, affectsBindDiagnostics }) =>
    affectsSourceFile || affectsBindDiagnostics ? [name] : [],
  ),
];

/** The files that were parsed, by all that decides how. */
const parsed = new Map();

function createHost(options) {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile;
  const settings = READING.map((name) => options[name]);
  host.getSourceFile = (path, how, ...rest) => {
    const { languageVersion, impliedNodeFormat, jsDocParsingMode } = how;
    // A declaration file emits nothing, and has no unreachable statement.
    const reading = path.endsWith(".d.ts") ? [] : settings;
    const key = JSON.stringify([
      path,
      languageVersion,
      impliedNodeFormat,
      jsDocParsingMode,
      options.moduleDetection,
      reading,
    ]);
    if (!parsed.has(key)) parsed.set(key, parse(path, how, ...rest));
    return parsed.get(key);
  };
  return host;
}

function errorsUnder(path) {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error !== undefined) return ts.formatDiagnostics([error], format);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(resolve(path)));
  const program = ts.createProgram({
    rootNames: fileNames,
    options,
    host: createHost(options),
    configFileParsingDiagnostics: errors,
  });
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), format);
}

process.stdout.write(JSON.stringify(paths.map(errorsUnder)));
