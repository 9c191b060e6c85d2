import { code, type Code, lineComment, name } from "../../../typescript/code.js";
import { groupBy } from "../../../model/group-by.js";

/** Returns the constant that a bundler sets to remove gated tools. */
export function nameGate(gate: string): string {
  return `HASP_FEATURE_${gate.replaceAll(/[^A-Za-z0-9]/gu, "_").toUpperCase()}`;
}

/** Declares the constants of gates, with comments. The rule naming/shared-gate-constant keeps their names apart. */
export function declareGates(gates: readonly string[], dropped: string): readonly Code[] {
  const distinct = [...new Set(gates)].toSorted();
  return [...groupBy(distinct, nameGate)].map(([constant, of]) => {
    const named = of.map((gate) => JSON.stringify(gate)).join(", ");
    return code`${lineComment(`A bundler that defines this name as \`false\` leaves out the ${dropped} behind ${named}.`)}
declare const ${name(constant)}: boolean | undefined;`;
  });
}

/** Makes an expression `undefined` if a bundler has closed its gate. */
export function printGated(gate: string, expression: Code): Code {
  const constant = name(nameGate(gate));
  // Inline, so that a bundler that knows the constant removes the expression.
  return code`typeof ${constant} === "undefined" || ${constant} ? ${expression} : undefined`;
}
