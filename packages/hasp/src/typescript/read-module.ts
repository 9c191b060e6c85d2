import type { JsonValue } from "@hasp/schema";
import { type Expression, Node, parseModules, type SourceFile } from "./parser.js";

/** A value of a module's constant: data, or the text of a function or call in its place. */
export type ReadValue = JsonValue | SourceText | readonly ReadValue[] | { readonly [key: string]: ReadValue };

/** Code, as it stands in the file. */
export interface SourceText {
  readonly [sourceText]: string;
}

/** The key of {@link SourceText}. */
export const sourceText: unique symbol = Symbol("source text");

/** What TypeScript itself finds in one generated module. */
export interface ReadModule {
  readonly path: string;
  /** Messages of the parser; none for a sound module. */
  readonly syntaxErrors: readonly string[];
  /**
   * The exported and local constants by name. A call stands there as its argument, or as the list of them, and a function
   * that does nothing but make an object as that object.
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
    const path = /^\{\s*return import\((?<path>"[^"]+")\);\s*\}$/u.exec(each.getBody()?.getText() ?? "")?.groups?.[
      "path"
    ];
    return path === undefined ? [] : [[each.getName() ?? "", { from: JSON.parse(path) as string, name: "*" }] as const];
  });
  return new Map([...imported, ...loaded]);
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
  if (Node.isIdentifier(node)) return constants.get(node.getText()) ?? { [sourceText]: node.getText() };
  if (Node.isCallExpression(node)) {
    if (node.getArguments().length === 0) return { [sourceText]: node.getText() };
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
        if (!Node.isPropertyAssignment(property)) return [property.getText(), { [sourceText]: property.getText() }];
        const value = property.getInitializerOrThrow();
        return [keyOf(property.getNameNode()), valueOf(value, constants)];
      }),
    );
  }
  return { [sourceText]: node.getText() };
}

function keyOf(name: Node): string {
  if (Node.isComputedPropertyName(name)) return keyOf(name.getExpression());
  return Node.isStringLiteral(name) ? name.getLiteralValue() : name.getText();
}
