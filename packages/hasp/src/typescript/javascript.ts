import { type Expression, Parser } from "acorn";

// This file alone knows the parser of JavaScript.
export type { ArrowFunctionExpression, Expression, Node, SpreadElement } from "acorn";

/** What of acorn's parser a plugin uses; its types leave out what is not for callers. */
interface ParserInternals {
  isContextual(name: string): boolean;
  next(): void;
  unexpected(): never;
  readonly value: unknown;
  parseMaybeAssign(...options: readonly unknown[]): Expression;
}

/** JavaScript with `as const`, the one assertion in a literal that hasp generates. */
const LiteralParser = Parser.extend((base) => {
  const Base = base as unknown as new (...options: readonly unknown[]) => ParserInternals;
  return class extends Base {
    override parseMaybeAssign(...options: readonly unknown[]): Expression {
      const expression = super.parseMaybeAssign(...options);
      if (!this.isContextual("as")) return expression;
      this.next();
      if (this.value !== "const") this.unexpected();
      this.next();
      return expression;
    }
  } as unknown as typeof Parser;
});

/** Parses the expression that a text begins with. Throws a `SyntaxError` where there is none. */
export function parseExpression(text: string): Expression {
  return LiteralParser.parseExpressionAt(text, 0, { ecmaVersion: 2022, sourceType: "module" });
}
