import { readLineBreak } from "@hasp/base/diagnostics";
import { Node, parseModules, type SourceFile, ts } from "./parser.js";

export interface WantedExports {
  /** Whole declarations by name. */
  readonly functions: readonly { readonly name: string; readonly text: string }[];
  /** Imports that those texts may use. */
  readonly imports: readonly { readonly name: string; readonly from: string; readonly isType: boolean }[];
}

type AddedExports = { readonly text: string; readonly added: readonly string[] } | { readonly problem: string };

/** Adds missing exports to a user's module. Inserts text and never changes the user's own. */
export function addExports(text: string, { functions, imports }: WantedExports): AddedExports {
  const [module] = parseModules([{ path: "handler.ts", text }]);
  if (module === undefined || module.syntaxErrors.length > 0) return { problem: "TypeScript cannot read it" };
  const { source } = module;
  const exported = exportedNames(source);
  if (exported === undefined) return { problem: "it exports all of another module, which may or may not hold them" };
  const missing = functions.filter(({ name }) => !exported.has(name));
  if (missing.length === 0) return { text, added: [] };
  const local = localNames(source);
  const clash = missing.find(({ name }) => local.has(name));
  if (clash !== undefined) return { problem: `\`${clash.name}\` is something there that is not exported` };

  const needed: string[] = [];
  for (const { name, from, isType } of imports) {
    if (!missing.some((each) => each.text.includes(name)) || isImported(source, name, from, isType)) continue;
    if (local.has(name)) return { problem: `\`${name}\` is something else there` };
    needed.push(`import ${isType ? "type " : ""}{ ${name} } from ${JSON.stringify(from)};`);
  }
  const eol = readLineBreak(text);
  const lines = (parts: readonly string[], between: string): string => parts.join(between).replaceAll("\n", eol);
  const last = source.getImportDeclarations().at(-1);
  const at = last === undefined ? afterHeader(source) : last.getEnd();
  const importText =
    needed.length === 0
      ? ""
      : last === undefined
        ? `${lines(needed, "\n")}${eol}${eol}`
        : `${eol}${lines(needed, "\n")}`;
  const end = text.endsWith("\n") || text === "" ? "" : eol;
  const functionText = `${end}${eol}${lines(
    missing.map((each) => each.text),
    "\n\n",
  )}${eol}`;
  return {
    text: `${text.slice(0, at)}${importText}${text.slice(at)}${functionText}`,
    added: missing.map(({ name }) => name),
  };
}

/** Lists exported names; `undefined` if the module re-exports another. */
function exportedNames(source: SourceFile): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const statement of source.getStatements()) {
    if (Node.isExportDeclaration(statement)) {
      if (statement.isNamespaceExport() && statement.getNamespaceExport() === undefined) return undefined;
      for (const each of statement.getNamedExports()) names.add(each.getAliasNode()?.getText() ?? each.getName());
    } else if (Node.isVariableStatement(statement)) {
      if (statement.isExported()) for (const name of declaredIn(statement)) names.add(name);
    } else if (Node.isExportable(statement) && statement.isExported() && Node.hasName(statement)) {
      names.add(statement.getName());
    }
  }
  return names;
}

function localNames(source: SourceFile): ReadonlySet<string> {
  return new Set(
    source.getStatements().flatMap((statement) => {
      if (Node.isImportDeclaration(statement)) {
        const named = statement.getNamedImports().map((each) => each.getAliasNode()?.getText() ?? each.getName());
        return [
          ...named,
          statement.getDefaultImport()?.getText() ?? "",
          statement.getNamespaceImport()?.getText() ?? "",
        ];
      }
      if (Node.isVariableStatement(statement)) return declaredIn(statement);
      return Node.hasName(statement) ? [statement.getName()] : [];
    }),
  );
}

function declaredIn(statement: Node): readonly string[] {
  return statement.getDescendantsOfKind(ts.SyntaxKind.VariableDeclaration).flatMap((each) => {
    const name = each.getNameNode();
    return Node.isIdentifier(name)
      ? [name.getText()]
      : name.getDescendantsOfKind(ts.SyntaxKind.BindingElement).map((element) => element.getName());
  });
}

function isImported(source: SourceFile, name: string, from: string, isType: boolean): boolean {
  return source
    .getImportDeclarations()
    .some(
      (declaration) =>
        declaration.getModuleSpecifierValue() === from &&
        declaration
          .getNamedImports()
          .some(
            (each) =>
              each.getName() === name &&
              each.getAliasNode() === undefined &&
              (isType || !(each.isTypeOnly() || declaration.isTypeOnly())),
          ),
    );
}

/** Finds where imports begin: after the licence comment, `#!` and "use strict". */
function afterHeader(source: SourceFile): number {
  const first = source
    .getStatements()
    .find((statement) => !Node.isExpressionStatement(statement) || !Node.isStringLiteral(statement.getExpression()));
  return first === undefined ? source.getFullText().length : first.getStart(true);
}
