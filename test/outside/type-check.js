// node type-check.js <package of a compiler> <tsconfig.json>…: prints the errors under each tsconfig as a list of JSON. One
// process for all of them, since a compiler is slow until its own code is hot.
import { createRequire } from "node:module";
import { dirname } from "node:path";

const [compiler, ...paths] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);

const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => "\n",
};

function errorsUnder(path) {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error !== undefined) return ts.formatDiagnostics([error], format);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const program = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), format);
}

process.stdout.write(JSON.stringify(paths.map(errorsUnder)));
