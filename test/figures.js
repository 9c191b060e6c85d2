// `pnpm figures`: holds what a reader has to cope with below limits that only ever sink. `--since <ref>` says what the changes
// since then cost, `--all` names every offender.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { ts } from "ts-morph";

/** The limits. Lower them to what is reached. Raising one takes a commit of its own that says what the lines buy. */
const LIMITS = {
  "files that export one name to one importer": 98,
  "exported names that nobody imports": 3,
  "docblocks that begin with a clause": 0,
  "test titles that are no sentence": 0,
  "exported functions that end in Of": 18,
  "type names declared twice": 25,
  "words of the documentation": 45_000,
  "words of the longest page": 1700,
};

/** Beginnings of titles that are clauses, or that lack the subject of a plural verb. */
const UNFINISHED_TITLE =
  /^(?:of|that|none|what|whoever|whatever|are|become|come|do|fall|follow|give|have|hold|keep|leave|lose|make|refuse|say|stay|survive)\b/i;

const root = resolve(import.meta.dirname, "..");
const option = (name) => process.argv.indexOf(name) + 1;
const figures = measure(root);
const before = option("--since") === 0 ? undefined : measureAt(process.argv[option("--since")]);
const over = Object.keys(LIMITS).filter((name) => figures[name].count > LIMITS[name]);
const width = Math.max(...Object.keys(LIMITS).map((name) => name.length));
for (const [name, limit] of Object.entries(LIMITS)) {
  const { count, offenders = [] } = figures[name];
  const change =
    before === undefined ? "" : `  ${count - before[name].count >= 0 ? "+" : ""}${count - before[name].count}`;
  const verdict = count > limit ? `  ${count - limit} too many` : "";
  process.stdout.write(
    `${name.padEnd(width)}  ${String(count).padStart(6)} of ${String(limit).padStart(6)}${change}${verdict}\n`,
  );
  const shown = process.argv.includes("--all") ? offenders : count > limit ? offenders.slice(0, 10) : [];
  for (const offender of shown) process.stdout.write(`    ${offender}\n`);
}
if (over.length > 0) {
  process.stdout.write(
    `\nMake room for what you add: ${over.join(", ")}. A limit in test/figures.js is raised in a commit of its own.\n`,
  );
  process.exitCode = 1;
}

/** Measures the commit that a ref names. */
function measureAt(ref) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-figures-"));
  try {
    const archive = execFileSync("git", ["archive", ref], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    const paths = execFileSync("git", ["ls-tree", "-r", "-z", "--name-only", ref], { cwd: root, encoding: "utf8" });
    return measure(folder, paths.split("\0"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(
  folder,
  paths = execFileSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8" }).split("\0"),
) {
  const read = (path) => readFileSync(join(folder, path), "utf8");
  const isCode = (path) => /\.[jt]s$/.test(path) && !path.endsWith(".d.ts") && /^(?:packages|test)\//.test(path);
  const files = new Map(
    paths
      .filter((path) => isCode(path) && !path.startsWith("test/outside/kitchen/"))
      .map((path) => [path, { path, ...examine(path, read(path)) }]),
  );
  const isTest = ({ path }) =>
    path.startsWith("test/") || path.includes("/scripts/") || /\.(?:test|testing|mocked|bench)\./.test(path);
  const sources = [...files.values()].filter((file) => !isTest(file) && !file.isGenerated);
  const tests = [...files.values()].filter(isTest);
  const manifests = new Map(
    paths
      .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
      .map((path) => [dirname(path), JSON.parse(read(path))]),
  );
  const entries = new Set(
    [...manifests].flatMap(([home, { exports = {}, bin = {} }]) => sourcesOf(home, [exports, bin])),
  );
  const importers = new Map();
  const taken = new Set();
  for (const file of files.values()) {
    for (const { specifier, names } of file.imports) {
      for (const name of names) {
        const { path, name: own } = findDeclaration(files, manifests, file.path, { specifier, name });
        if (path === undefined) continue;
        if (!isTest(file) && !isDoor(file.path)) importers.set(path, (importers.get(path) ?? new Set()).add(file.path));
        taken.add(`${path} ${own}`);
      }
    }
  }
  const typeHomes = groups(sources.flatMap(({ types }) => [...new Set(types)]));
  const pages = paths
    .filter(isPageByHand(read))
    .map((path) => ({ path, words: read(path).split(/\s+/).filter(Boolean).length }));
  const count = (list) => list.reduce((sum, number) => sum + number, 0);
  const list = (offenders) => ({ count: offenders.length, offenders });
  return {
    "files that export one name to one importer": list(
      sources
        .filter(({ path, exports }) => exports.length === 1 && importers.get(path)?.size === 1)
        .map(({ path }) => path),
    ),
    "exported names that nobody imports": list(
      sources
        .filter(({ path }) => !entries.has(path) && !taken.has(`${path} *`) && /^packages\/[^/]+\/src\//.test(path))
        .flatMap(({ path, exports }) =>
          exports.filter((name) => !taken.has(`${path} ${name}`)).map((name) => `${path}: ${name}`),
        ),
    ),
    "docblocks that begin with a clause": list(
      [...sources, ...tests].flatMap(({ path, docblocks }) =>
        docblocks
          .filter((text) => /^(?:What|Whether|Where|Which|Of|That|How|Why)\b/.test(text))
          .map((text) => `${path}: ${text}`),
      ),
    ),
    "test titles that are no sentence": list(
      tests.flatMap(({ path, titles }) =>
        titles
          .filter((title) => title.trim().split(/\s+/).length < 3 || UNFINISHED_TITLE.test(title))
          .map((title) => `${path}: ${title}`),
      ),
    ),
    "exported functions that end in Of": list(
      sources.flatMap(({ path, functions }) =>
        functions.filter((name) => /[a-z]Of$/.test(name)).map((name) => `${path}: ${name}`),
      ),
    ),
    "type names declared twice": list([...typeHomes].filter(([, homes]) => homes.length > 1).map(([name]) => name)),
    "words of the documentation": { count: count(pages.map(({ words }) => words)) },
    "words of the longest page": { count: Math.max(...pages.map(({ words }) => words)) },
  };
}

/** True for pages that somebody has written: READMEs, and documentation that is not printed from our data. */
function isPageByHand(read) {
  return (path) =>
    (/^(?:packages\/.*)?(?:README|CONTRIBUTING)\.md$/.test(path) || /^packages\/[^/]+\/docs\/.*\.md$/.test(path)) &&
    !(path.includes("/reference/") && /is (?:printed|generated|derived) from/.test(read(path)));
}

function groups(names) {
  const homes = new Map();
  for (const name of names) homes.set(name, [...(homes.get(name) ?? []), name]);
  return homes;
}

/** Reads what a file declares, imports and says in comments. */
function examine(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = { imports: [], exports: [], functions: [], types: [], titles: [], docblocks: [] };
  const masked = [];
  const isExported = (node) => ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export;
  const visit = (node) => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isRegularExpressionLiteral(node)
    ) {
      masked.push([node.getStart(source), node.end]);
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) takeImport(node, found);
    else if (ts.isCallExpression(node)) takeCall(node, found);
    else if (ts.isImportTypeNode(node)) {
      found.imports.push({ specifier: node.argument.literal?.text ?? "", names: ["*"] });
    } else if (isPathOfProgram(node)) {
      found.imports.push({ specifier: node.text, names: ["*"] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    const { name } = statement;
    if (
      name !== undefined &&
      (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement))
    ) {
      found.types.push(name.text);
    }
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map((each) => each.name.text)
      : name === undefined
        ? []
        : [name.text];
    if (
      ts.isVariableStatement(statement)
        ? !statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        : !isExported(statement)
    ) {
      continue;
    }
    found.exports.push(...names);
    const isFunction = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some(
          ({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer),
        )
      : ts.isFunctionDeclaration(statement);
    if (isFunction) found.functions.push(...names);
  }
  readDocblocks(text, masked, found);
  return {
    ...found,
    isGenerated: isGenerated(path, text),
  };
}

/** True for the path of a worker or of a process: a string with the name of a module, outside imports. */
function isPathOfProgram(node) {
  if (!ts.isStringLiteral(node) || !/^\.\.?\/.*\.[jt]s$/.test(node.text)) return false;
  const { parent } = node;
  return !ts.isImportDeclaration(parent) && !ts.isExportDeclaration(parent) && !ts.isCallExpression(parent);
}

function isGenerated(path, text) {
  const head = text.slice(0, 300);
  return path.includes("/src/generated/") || /^\/[/*]\*? *(?:generated|written) by|@generated|do not edit/im.test(head);
}

function takeImport(node, { imports, exports }) {
  const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  const elements = clause !== undefined && "elements" in clause ? clause.elements : undefined;
  const names = elements?.map(({ propertyName, name }) => (propertyName ?? name).text) ?? ["*"];
  if (node.moduleSpecifier !== undefined) imports.push({ specifier: node.moduleSpecifier.text, names });
  else exports.push(...(elements ?? []).map(({ name }) => name.text));
}

function takeCall(node, { imports, titles }) {
  const [first] = node.arguments;
  if (first === undefined || !ts.isStringLiteralLike(first)) return;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    imports.push({ specifier: first.text, names: namesOfDynamic(node) });
  }
  if (node.arguments.length > 1 && /^(?:test|it)\b/.test(node.expression.getText())) titles.push(first.text);
}

/** The names that a dynamic import takes, if the code around it says so. */
function namesOfDynamic(call) {
  let node = call.parent;
  while (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) node = node.parent;
  const then =
    ts.isPropertyAccessExpression(node) && node.name.text === "then" ? node.parent.arguments?.[0] : undefined;
  const taken = then?.parameters?.[0]?.name ?? (ts.isVariableDeclaration(node) ? node.name : undefined);
  if (taken !== undefined && ts.isObjectBindingPattern(taken)) {
    return taken.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  }
  return ts.isPropertyAccessExpression(node) && node.name.text !== "then" ? [node.name.text] : ["*"];
}

/** Reads the docblocks, outside of texts. */
function readDocblocks(text, masked, { docblocks }) {
  let bare = "";
  let at = 0;
  for (const [from, to] of masked.toSorted((a, b) => a[0] - b[0])) {
    if (from < at) continue;
    bare += text.slice(at, from) + text.slice(from, to).replaceAll(/[^\n]/g, "_");
    at = to;
  }
  bare += text.slice(at);
  for (const [comment] of bare.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)) {
    if (comment.startsWith("/**")) {
      docblocks.push(
        comment
          .replaceAll(/^\/\*\*|\*\/$|^\s*\*/gm, "")
          .replaceAll(/\s+/g, " ")
          .trim(),
      );
    }
  }
}

/** The sources behind paths of a manifest. */
function sourcesOf(home, value) {
  if (typeof value !== "string") return Object.values(value).flatMap((each) => sourcesOf(home, each));
  return [
    posix
      .join(home, value)
      .replace("/dist/", "/src/")
      .replace(/(?:\.d)?\.[jt]s$/, ".ts"),
  ];
}

/** Finds the module that an import takes a name from, behind the doors of packages. */
function findDeclaration(files, manifests, from, { specifier, name }) {
  const path = resolveImport(files, manifests, from, specifier);
  const passed = isDoor(path) ? files.get(path)?.imports.find(({ names }) => names.includes(name)) : undefined;
  return passed === undefined
    ? { path, name }
    : findDeclaration(files, manifests, path, { specifier: passed.specifier, name });
}

/** True for an entry of a package, which passes on what other modules declare. */
function isDoor(path) {
  return /^packages\/[^/]+\/src\/(?:doors\/.*|(?:json|diagnostics)\/index|index)\.ts$/.test(path ?? "");
}

function resolveImport(files, manifests, from, specifier) {
  if (specifier.startsWith(".")) {
    const path = posix.join(posix.dirname(from), specifier).replace("/dist/", "/src/");
    return [path, path.replace(/\.js$/, ".ts")].find((each) => files.has(each));
  }
  for (const [home, { name, exports = {} }] of manifests) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    return sourcesOf(home, exports[`.${specifier.slice(name.length)}`] ?? [])[0];
  }
  return undefined;
}
