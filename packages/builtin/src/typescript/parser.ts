import {
  type ExportDeclaration,
  type ImportDeclaration,
  Node,
  type NoSubstitutionTemplateLiteral,
  Project,
  type SourceFile,
  type StringLiteral,
  ts,
} from "ts-morph";

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
  /** The specifiers, each with its place in the text, such as `3:20`. */
  readonly specifiers: ReadonlyMap<string, string>;
  /** Those of them that `require` loads. */
  readonly required: readonly string[];
  /** Those of `new URL(…, import.meta.url)`, which may name files that are only read. */
  readonly addresses: ReadonlyMap<string, string>;
  /** All strings of the text except those of type-only statements. */
  readonly literals: readonly string[];
  /** The line of the first computed import; 1 if the text cannot be parsed. */
  readonly computedAt: number | undefined;
}

/** The members of `import.meta` that load nothing. */
const META = new Set(["dir", "dirname", "env", "file", "filename", "main", "path", "url"]);

/** The members of `require` that load nothing. */
const REQUIRE = new Set(["cache", "extensions", "main"]);

/** The members of `node:module` that load nothing, and `createRequire`, whose calls are followed. */
const NODE_MODULE = new Set(["builtinModules", "createRequire", "findSourceMap", "isBuiltin", "SourceMap"]);

/**
 * Reads imports, even `import(…)`, renamed `require(…)`, `import.meta.resolve(…)`, `new URL(…, import.meta.url)`, and
 * `jsx:/jsx-runtime` for what makes elements if settings name its package. What may load a module in any other way
 * counts as computed, such as `import.meta.glob` and `node:module`.
 */
export function readImports(path: string, text: string): ReadImports {
  const specifiers = new Map<string, string>();
  const required: string[] = [];
  const addresses = new Map<string, string>();
  const literals: string[] = [];
  const [module] = parseModules([{ path, text }]);
  if (module === undefined || module.syntaxErrors.length > 0) {
    return { specifiers, required, addresses, literals, computedAt: 1 };
  }
  const { source } = module;
  const requires = new Set(["require"]);
  /** The names of the whole `node:module`. */
  const modules = new Set<string>();
  let computedAt: number | undefined;
  const compute = (node: Node): void => {
    computedAt = Math.min(computedAt ?? Infinity, node.getStartLineNumber());
  };
  const place = (found: Map<string, string>, value: string, offset: number): void => {
    const { line, column } = source.getLineAndColumnAtPos(offset);
    found.set(value, `${line}:${column}`);
  };
  const read = (call: Node, argument: Node | undefined): void => {
    if (!isText(argument)) return compute(call);
    place(specifiers, argument.getLiteralText(), argument.getStart());
    if (isNodeModule(argument)) readModuleUse(call);
  };
  const readRequired = (call: Node, argument: Node | undefined): void => {
    read(call, argument);
    if (isText(argument)) required.push(argument.getLiteralText());
  };
  // Such a comment names the package that makes elements.
  const makers = [...text.matchAll(/@jsxImportSource\s+([^\s*]+)/gu)];
  for (const { 1: name, index } of makers) place(specifiers, `${name}/jsx-runtime`, index);
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
    if (Node.isVariableDeclaration(user) && Node.isIdentifier(user.getNameNode())) {
      requires.add(user.getName());
      // Its calls in other modules are not found.
      if (user.isExported()) compute(node);
    } else if (Node.isCallExpression(user) && user.getExpression() === call) {
      readRequired(user, user.getArguments()[0]);
    } else compute(node);
  });
  source.forEachDescendant((node) => {
    if (Node.isImportDeclaration(node) || Node.isExportDeclaration(node)) {
      const specifier = node.getModuleSpecifier();
      if (specifier === undefined || node.isTypeOnly()) return;
      place(specifiers, specifier.getLiteralText(), specifier.getStart());
      if (isNodeModule(specifier)) readModuleNames(node);
    } else if (Node.isExternalModuleReference(node)) {
      readRequired(node, node.getExpression());
    } else if (Node.isCallExpression(node)) {
      if (node.getExpression().getKindName() === "ImportKeyword") read(node, node.getArguments()[0]);
    } else if (Node.isMetaProperty(node)) {
      if (node.getKeywordToken() === ts.SyntaxKind.ImportKeyword) readMeta(node, node.getName());
    } else if (Node.isNewExpression(node)) {
      const [argument, base] = node.getArguments();
      const isOwn = /\bimport\b|\b__filename\b|\b__dirname\b/u.test(base?.getText() ?? "");
      if (isNamed(node.getExpression(), "URL") && isOwn) {
        if (isText(argument)) place(addresses, argument.getLiteralText(), argument.getStart());
        else compute(node);
      }
    } else if (
      Node.isJsxOpeningElement(node) ||
      Node.isJsxSelfClosingElement(node) ||
      Node.isJsxOpeningFragment(node)
    ) {
      if (makers.length === 0) place(specifiers, "jsx:/jsx-runtime", node.getStart());
    } else if (isText(node)) {
      readText(node, node.getLiteralText());
    } else if (isNamed(node, "getBuiltinModule")) {
      const callee = Node.isPropertyAccessExpression(node.getParent()) ? node.getParentOrThrow() : node;
      const call = callee.getParent();
      const argument = Node.isCallExpression(call) ? call.getArguments()[0] : undefined;
      if (!isText(argument)) compute(node);
      else if (isNodeModule(argument) && call !== undefined) readModuleUse(call);
    } else if (Node.isIdentifier(node) && requires.has(node.getText()) && !isDeclared(node)) {
      readRequire(node);
    }
  });
  if (modules.size > 0) source.forEachDescendant(readModuleName);
  return { specifiers, required, addresses, literals, computedAt };

  function readRequire(node: Node): void {
    const parent = node.getParent();
    // Of `module.require` only the call counts; `a.require` of any other object does, too.
    const callee = Node.isPropertyAccessExpression(parent) && parent.getNameNode() === node ? parent : node;
    const user = callee.getParent();
    if (Node.isCallExpression(user) && user.getExpression() === callee) {
      return readRequired(user, user.getArguments()[0]);
    }
    if (Node.isPropertyAccessExpression(user) && user.getExpression() === callee) {
      const call = user.getParent();
      if (user.getName() === "resolve" && Node.isCallExpression(call)) return read(call, call.getArguments()[0]);
      if (user.getName() === "resolve" || REQUIRE.has(user.getName())) return;
    }
    if (!Node.isTypeOfExpression(user)) compute(node);
  }

  /** Reads the use of `import.meta`, and of phases such as `import.defer(…)`. */
  function readMeta(node: Node, name: string): void {
    const value = withoutTypes(node);
    const user = value.getParent();
    const isCalled = (callee: Node, call: Node | undefined): boolean =>
      Node.isCallExpression(call) && call.getExpression() === callee;
    if (name !== "meta") {
      if (Node.isCallExpression(user) && isCalled(value, user)) return read(user, user.getArguments()[0]);
    } else if (Node.isPropertyAccessExpression(user)) {
      const call = user.getParent();
      if (META.has(user.getName())) return;
      if (user.getName() === "resolve" && Node.isCallExpression(call) && isCalled(user, call)) {
        return read(call, call.getArguments()[0]);
      }
      // `readRequire` reads that of Bun.
      if (user.getName() === "require") return;
    } else if (takesOnly(user, META)) return;
    compute(node);
  }

  /** Reads the names that a statement takes from `node:module`. */
  function readModuleNames(node: ImportDeclaration | ExportDeclaration): void {
    const isImport = Node.isImportDeclaration(node);
    const named = isImport ? node.getNamedImports() : node.getNamedExports();
    if (named.some((each) => !each.isTypeOnly() && !NODE_MODULE.has(each.getName()))) compute(node);
    if (!isImport && named.length === 0) compute(node);
    const whole = isImport ? [node.getDefaultImport(), node.getNamespaceImport()] : [];
    for (const name of whole) if (name !== undefined) modules.add(name.getText());
  }

  /** Reads one use of a name of the whole `node:module`. */
  function readModuleName(node: Node): void {
    if (!Node.isIdentifier(node) || !modules.has(node.getText()) || isDeclared(node)) return;
    const parent = node.getParent();
    const isMember = Node.isPropertyAccessExpression(parent);
    if (isMember && parent.getNameNode() === node) return;
    if (!Node.isNamespaceImport(parent) && !(isMember && NODE_MODULE.has(parent.getName()))) compute(node);
  }

  /** Reads what becomes of `node:module` as the value of a call. */
  function readModuleUse(call: Node): void {
    const value = withoutTypes(call);
    const user = value.getParent();
    if (Node.isPropertyAccessExpression(user) && NODE_MODULE.has(user.getName())) return;
    if (Node.isVariableDeclaration(user) && Node.isIdentifier(user.getNameNode()) && !user.isExported()) {
      modules.add(user.getName());
    } else if (!takesOnly(user, NODE_MODULE)) compute(call);
  }

  function readText(node: Node, value: string): void {
    const user = node.getParent();
    const isName =
      Node.isElementAccessExpression(user) || Node.isComputedPropertyName(user) || Node.isBindingElement(user);
    if (value === "createRequire" || value === "getBuiltinModule" || (value === "require" && isName)) compute(node);
    const isDeclaration = Node.isImportDeclaration(user) || Node.isExportDeclaration(user);
    if (!(isDeclaration && user.isTypeOnly())) literals.push(value);
  }
}

type ModuleName = StringLiteral | NoSubstitutionTemplateLiteral;

function isText(node: Node | undefined): node is ModuleName {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node);
}

function isNodeModule(node: ModuleName): boolean {
  return /^(?:node:)?module$/u.test(node.getLiteralText());
}

/** Returns the outermost expression that has the value of one, or awaits it. */
function withoutTypes(node: Node): Node {
  const parent = node.getParent();
  const isSame =
    Node.isParenthesizedExpression(parent) ||
    Node.isAsExpression(parent) ||
    Node.isSatisfiesExpression(parent) ||
    Node.isNonNullExpression(parent) ||
    Node.isAwaitExpression(parent);
  return isSame ? withoutTypes(parent) : node;
}

/** True if a variable's pattern takes no other members than these from its value. */
function takesOnly(variable: Node | undefined, members: ReadonlySet<string>): boolean {
  const pattern = Node.isVariableDeclaration(variable) ? variable.getNameNode() : undefined;
  return (
    Node.isObjectBindingPattern(pattern) &&
    pattern.getElements().every((each) => {
      const isRest = each.getDotDotDotToken() !== undefined;
      return !isRest && members.has((each.getPropertyNameNode() ?? each.getNameNode()).getText());
    })
  );
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
