import { Node, parseModules } from "./parser.js";

/**
 * Lists the members of a declared interface or object type; `undefined` if it is imported, computed, extended or
 * indexed.
 */
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
