import { Node, Project, type SourceFile, ts } from "ts-morph";

// Only this file loads the parser, which costs more than a small build.
export { Node, type SourceFile, ts };

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

interface ReadImports {
  readonly specifiers: readonly string[];
  /** The line of the first computed import; 1 if the text cannot be parsed. */
  readonly computedAt: number | undefined;
}

/** Reads imports, even `import(…)`, renamed `require(…)`, `import.meta.resolve(…)`, `new URL(…, import.meta.url)`. */
export function readImports(path: string, text: string): ReadImports {
  const specifiers: string[] = [];
  const [module] = parseModules([{ path, text }]);
  if (module === undefined || module.syntaxErrors.length > 0) return { specifiers, computedAt: 1 };
  const { source } = module;
  const requires = new Set(["require"]);
  let computedAt: number | undefined;
  const compute = (node: Node): void => {
    computedAt = Math.min(computedAt ?? Infinity, node.getStartLineNumber());
  };
  const read = (call: Node, argument: Node | undefined): void => {
    if (Node.isStringLiteral(argument) || Node.isNoSubstitutionTemplateLiteral(argument)) {
      specifiers.push(argument.getLiteralText());
    } else compute(call);
  };
  // Collect the names from `createRequire` before reading their calls.
  source.forEachDescendant((node) => {
    if (!isNamed(node, "createRequire")) return;
    if (isDeclared(node)) {
      if (node.getParentIfKind(ts.SyntaxKind.ImportSpecifier)?.getAliasNode() !== undefined) compute(node);
      return;
    }
    const callee = Node.isPropertyAccessExpression(node.getParent()) ? node.getParentOrThrow() : node;
    const call = callee.getParent();
    if (!Node.isCallExpression(call) || call.getExpression() !== callee) return compute(node);
    const user = call.getParent();
    if (Node.isVariableDeclaration(user) && Node.isIdentifier(user.getNameNode())) requires.add(user.getName());
    else if (Node.isCallExpression(user) && user.getExpression() === call) read(user, user.getArguments()[0]);
    else compute(node);
  });
  source.forEachDescendant((node) => {
    if (Node.isImportDeclaration(node) || Node.isExportDeclaration(node)) {
      const specifier = node.getModuleSpecifierValue();
      if (specifier !== undefined && !node.isTypeOnly()) specifiers.push(specifier);
    } else if (Node.isCallExpression(node)) {
      const callee = node.getExpression();
      const isImport = callee.getKindName() === "ImportKeyword";
      const isResolve = Node.isPropertyAccessExpression(callee) && callee.getText() === "import.meta.resolve";
      if (isImport || isResolve) read(node, node.getArguments()[0]);
    } else if (Node.isNewExpression(node)) {
      const [argument, base] = node.getArguments();
      const isOwn = /\bimport\.meta\b|\b__filename\b|\b__dirname\b/u.test(base?.getText() ?? "");
      if (isNamed(node.getExpression(), "URL") && isOwn) read(node, argument);
    } else if (Node.isIdentifier(node) && requires.has(node.getText()) && !isDeclared(node)) {
      readRequire(node);
    }
  });
  return { specifiers, computedAt };

  function readRequire(node: Node): void {
    const parent = node.getParent();
    // Of `module.require` only the call counts; `a.require` of any other object does, too.
    const callee = Node.isPropertyAccessExpression(parent) && parent.getNameNode() === node ? parent : node;
    const user = callee.getParent();
    if (Node.isCallExpression(user) && user.getExpression() === callee) return read(user, user.getArguments()[0]);
    if (Node.isPropertyAccessExpression(user) && user.getExpression() === callee) {
      const call = user.getParent();
      if (user.getName() !== "resolve" || !Node.isCallExpression(call)) return;
      return read(call, call.getArguments()[0]);
    }
    if (!Node.isTypeOfExpression(user)) compute(node);
  }
}

function isNamed(node: Node, name: string): boolean {
  return Node.isIdentifier(node) && node.getText() === name;
}

/** True if an identifier declares its name rather than importing or labelling. */
function isDeclared(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isImportSpecifier(parent) || Node.isImportClause(parent)) return true;
  const isNameOf =
    Node.isVariableDeclaration(parent) || Node.isParameterDeclaration(parent) || Node.isPropertyAssignment(parent);
  return isNameOf && parent.getNameNode() === node;
}

/** Lists the members of an interface or object type; `undefined` if it is imported, computed, extended or indexed. */
export function typeMembers(path: string, text: string, type: string): readonly string[] | undefined {
  const [module] = parseModules([{ path, text }]);
  if (module === undefined || module.syntaxErrors.length > 0) return undefined;
  const names: string[] = [];
  let isDeclared = false;
  for (const statement of module.source.getStatements()) {
    // A class or namespace of that name could add members.
    if (Node.isClassDeclaration(statement) && statement.getName() === type) return undefined;
    const isAlias = Node.isTypeAliasDeclaration(statement);
    if (!(isAlias || Node.isInterfaceDeclaration(statement)) || statement.getName() !== type) continue;
    isDeclared = true;
    const body = isAlias ? statement.getTypeNode() : statement;
    if (!Node.isTypeLiteral(body) && !Node.isInterfaceDeclaration(body)) return undefined;
    if (Node.isInterfaceDeclaration(body) && body.getExtends().length > 0) return undefined;
    for (const member of body.getMembers()) {
      const isNamed = Node.isPropertySignature(member) || Node.isMethodSignature(member);
      const name = isNamed || Node.isGetAccessorDeclaration(member) ? member.getNameNode() : undefined;
      if (Node.isIdentifier(name)) names.push(name.getText());
      else if (Node.isStringLiteral(name)) names.push(name.getLiteralText());
      else return undefined;
    }
  }
  return isDeclared ? names : undefined;
}
