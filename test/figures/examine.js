import { ts } from "ts-morph";

/** Reads what a file declares, imports and says in comments. */
export function examine(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = {
    imports: [],
    exports: [],
    functions: [],
    types: [],
    titles: [],
    docblocks: [],
    bodies: [],
    leaves: 0,
  };
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
      found.imports.push(importAll(node.argument.literal?.text ?? "", "type"));
    } else if (isPathOfProgram(node)) {
      found.imports.push(importAll(node.text, "dynamic"));
    } else if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || isNamedArrow(node)) {
      found.bodies.push({ text: node.getText(source), line: lineAt(source, node) });
    }
    let isLeaf = true;
    ts.forEachChild(node, (child) => {
      isLeaf = false;
      visit(child);
    });
    if (isLeaf) found.leaves += 1;
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
    text,
    lines: source.getLineAndCharacterOfPosition(text.trimEnd().length).line + 1,
    isGenerated: isGenerated(path, text),
    passesOn: source.statements.length > 0 && source.statements.every(isPassingOn),
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

/** True for a statement that passes on what another module exports. */
const isPassingOn = (node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined;

const isNamedArrow = (node) => ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent);

const lineAt = (source, node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

/** An import of all that a module exports. */
const importAll = (specifier, kind) => ({ specifier, kind, names: ["*"], as: ["*"] });

function takeImport(node, { imports, exports }) {
  const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  const elements = clause !== undefined && "elements" in clause ? [...clause.elements] : undefined;
  const isPassedOn = ts.isExportDeclaration(node);
  if (node.moduleSpecifier === undefined) {
    exports.push(...elements.map(({ name }) => name.text));
    return;
  }
  const specifier = node.moduleSpecifier.text;
  const isType = isPassedOn ? node.isTypeOnly : node.importClause?.isTypeOnly === true;
  if (elements === undefined) imports.push({ ...importAll(specifier, isType ? "type" : "value"), isPassedOn });
  for (const kind of ["value", "type"]) {
    const taken = (elements ?? []).filter((each) => (isType || each.isTypeOnly) === (kind === "type"));
    if (taken.length === 0) continue;
    const names = taken.map(({ propertyName, name }) => (propertyName ?? name).text);
    imports.push({ specifier, kind, names, as: taken.map(({ name }) => name.text), isPassedOn });
  }
}

function takeCall(node, { imports, titles }) {
  const [first] = node.arguments;
  if (first === undefined || !ts.isStringLiteralLike(first)) return;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const names = listDynamicNames(node);
    imports.push({ specifier: first.text, kind: "dynamic", names, as: names });
  }
  if (node.arguments.length > 1 && /^(?:test|it)\b/.test(node.expression.getText())) titles.push(first.text);
}

/** Lists the names that a dynamic import takes, if the code around it says so. */
function listDynamicNames(call) {
  let node = call.parent;
  while (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) node = node.parent;
  const then =
    ts.isPropertyAccessExpression(node) && node.name.text === "then" ? node.parent.arguments?.[0] : undefined;
  const taken = then?.parameters?.[0]?.name ?? (ts.isVariableDeclaration(node) ? node.name : takeFromList(call, node));
  if (taken !== undefined && ts.isObjectBindingPattern(taken)) {
    return taken.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  }
  return ts.isPropertyAccessExpression(node) && node.name.text !== "then" ? [node.name.text] : ["*"];
}

/** Finds the variable of an import in `const [{ a }, { b }] = await Promise.all([import("…"), import("…")])`. */
function takeFromList(call, list) {
  if (!ts.isArrayLiteralExpression(list)) return undefined;
  let { parent } = list;
  while (ts.isCallExpression(parent) || ts.isAwaitExpression(parent)) ({ parent } = parent);
  if (!ts.isVariableDeclaration(parent) || !ts.isArrayBindingPattern(parent.name)) return undefined;
  return parent.name.elements[list.elements.indexOf(call)]?.name;
}

/** Reads the docblocks, but not inside string literals. */
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
