import type { JsonValue } from "@hasp/schema";
import { type Expression, Node, parseModules, type SourceFile, ts } from "./parser.js";

/** A value of a module's constant: data, or code in its place. */
export type ReadValue =
  JsonValue | ReadCode | Conditional | readonly ReadValue[] | { readonly [key: string]: ReadValue };

/** Code in the place of data. */
export class ReadCode {
  /** The syntax tree as text: equal for code that differs in layout, quotes and parentheses only. */
  readonly syntax: string;

  constructor(node: Node) {
    this.syntax = syntaxOf(node);
  }
}

/** A value that is there only if a condition holds. */
export class Conditional {
  readonly condition: string;
  readonly value: ReadValue;

  constructor(condition: string, value: ReadValue) {
    this.condition = condition;
    this.value = value;
  }
}

/** What TypeScript itself finds in one generated module. */
export interface ReadModule {
  readonly path: string;
  /** Messages of the parser; none for a sound module. */
  readonly syntaxErrors: readonly string[];
  /**
   * The exported and local constants by name. A call is read as its argument or the list of them, and a function that
   * does nothing but make an object as that object.
   */
  readonly constants: ReadonlyMap<string, ReadValue>;
  /** Where each imported name comes from, and each function that does nothing but import a module. */
  readonly imports: ReadonlyMap<string, ImportedName>;
}

/** A name of another module; `*` for all that it exports. */
export interface ImportedName {
  readonly from: string;
  readonly name: string;
}

/** Reads modules with TypeScript's own parser; loaded only where a build is checked. */
export function readModules(files: readonly { readonly path: string; readonly text: string }[]): readonly ReadModule[] {
  return parseModules(files).map(({ path, source, syntaxErrors }) => {
    const constants = new Map<string, ReadValue>();
    for (const declaration of source.getVariableDeclarations()) {
      const initializer = declaration.getInitializer();
      if (initializer !== undefined) constants.set(declaration.getName(), valueOf(madeBy(initializer), constants));
    }
    return { path, syntaxErrors, constants, imports: importsOf(source) };
  });
}

/** The syntax tree of each expression, as {@link ReadCode} has it. */
export function syntaxOfExpressions(texts: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(texts)];
  const modules = parseModules(distinct.map((text, index) => ({ path: `${index}.ts`, text: `(${text});` })));
  return new Map(
    distinct.map((text, index) => [text, modules[index]?.source.getStatements().map(expressionSyntax).join(";") ?? ""]),
  );
}

function expressionSyntax(statement: Node): string {
  return Node.isExpressionStatement(statement) ? syntaxOf(statement.getExpression()) : statement.getText();
}

function syntaxOf(node: Node): string {
  if (Node.isParenthesizedExpression(node)) return syntaxOf(node.getExpression());
  if (Node.isStringLiteral(node)) return JSON.stringify(node.getLiteralValue());
  if (Node.isNumericLiteral(node)) return String(node.getLiteralValue());
  const children = node.forEachChildAsArray();
  if (children.length === 0) return node.getText();
  const operator = Node.isPrefixUnaryExpression(node) ? ts.tokenToString(node.getOperatorToken()) : "";
  return `${node.getKindName()}${operator}(${children.map(syntaxOf).join(",")})`;
}

function importsOf(source: SourceFile): ReadonlyMap<string, ImportedName> {
  const imported = source.getImportDeclarations().flatMap((declaration) => {
    const from = declaration.getModuleSpecifierValue();
    const namespace = declaration.getNamespaceImport()?.getText();
    const names = declaration
      .getNamedImports()
      .map((each) => [each.getAliasNode()?.getText() ?? each.getName(), { from, name: each.getName() }] as const);
    return namespace === undefined ? names : [[namespace, { from, name: "*" }] as const, ...names];
  });
  const loaded = source.getFunctions().flatMap((each) => {
    const from = loadedPath(each.getStatements());
    return from === undefined ? [] : [[each.getName() ?? "", { from, name: "*" }] as const];
  });
  return new Map([...imported, ...loaded]);
}

/** The path that a function's body imports, where it does nothing else. */
function loadedPath([only, ...others]: readonly Node[]): string | undefined {
  const call = Node.isReturnStatement(only) && others.length === 0 ? only.getExpression() : undefined;
  if (!Node.isCallExpression(call) || !Node.isImportExpression(call.getExpression())) return undefined;
  const [path] = call.getArguments();
  return Node.isStringLiteral(path) ? path.getLiteralValue() : undefined;
}

/** The object that a function makes, where it does nothing else. */
function madeBy(node: Expression): Expression {
  if (!Node.isArrowFunction(node) || node.getParameters().length > 0) return node;
  const body = node.getBody();
  const made = Node.isParenthesizedExpression(body) ? body.getExpression() : undefined;
  return Node.isObjectLiteralExpression(made) ? made : node;
}

function valueOf(node: Expression, constants: ReadonlyMap<string, ReadValue>): ReadValue {
  if (Node.isAsExpression(node)) return valueOf(node.getExpression(), constants);
  if (Node.isStringLiteral(node)) return node.getLiteralValue();
  if (Node.isNumericLiteral(node)) return Number(node.getText());
  if (Node.isTrueLiteral(node)) return true;
  if (Node.isFalseLiteral(node)) return false;
  if (Node.isNullLiteral(node)) return null;
  if (Node.isPrefixUnaryExpression(node) && Node.isNumericLiteral(node.getOperand())) return Number(node.getText());
  if (Node.isArrayLiteralExpression(node)) return node.getElements().map((element) => valueOf(element, constants));
  if (Node.isIdentifier(node)) return constants.get(node.getText()) ?? new ReadCode(node);
  if (Node.isCallExpression(node)) {
    if (node.getArguments().length === 0) return new ReadCode(node);
    const values = node
      .getArguments()
      .map((argument) => (Node.isExpression(argument) ? valueOf(argument, constants) : argument.getText()));
    return values.length === 1 ? (values[0] ?? null) : values;
  }
  if (Node.isObjectLiteralExpression(node)) {
    return Object.fromEntries(
      node.getProperties().map((property): [string, ReadValue] => {
        if (Node.isShorthandPropertyAssignment(property)) {
          return [property.getName(), constants.get(property.getName()) ?? null];
        }
        if (!Node.isPropertyAssignment(property)) return [property.getText(), new ReadCode(property)];
        const value = property.getInitializerOrThrow();
        return [keyOf(property.getNameNode()), valueOf(value, constants)];
      }),
    );
  }
  if (Node.isConditionalExpression(node) && node.getWhenFalse().getText() === "undefined") {
    return new Conditional(syntaxOf(node.getCondition()), valueOf(node.getWhenTrue(), constants));
  }
  return new ReadCode(node);
}

function keyOf(name: Node): string {
  if (Node.isComputedPropertyName(name)) return keyOf(name.getExpression());
  return Node.isStringLiteral(name) ? name.getLiteralValue() : name.getText();
}
