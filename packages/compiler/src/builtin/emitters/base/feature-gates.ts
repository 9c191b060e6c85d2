import { code, type Code, lineComment, name } from "../../../typescript/code.js";
import { groupBy } from "../../../model/group-by.js";

/** The constant that a bundler defines to drop what a gate shuts. */
export function gateConstant(gate: string): string {
  return `HASP_FEATURE_${gate.replaceAll(/[^A-Za-z0-9]/gu, "_").toUpperCase()}`;
}

/** Declares the constants of some gates, each with its comment. The rule naming/shared-gate-constant keeps them apart. */
export function gateDeclarations(gates: readonly string[], dropped: string): readonly Code[] {
  const distinct = [...new Set(gates)].toSorted();
  return [...groupBy(distinct, gateConstant)].map(([constant, of]) => {
    const named = of.map((gate) => JSON.stringify(gate)).join(", ");
    return code`${lineComment(`A bundler that defines this name as \`false\` leaves out the ${dropped} behind ${named}.`)}
declare const ${name(constant)}: boolean | undefined;`;
  });
}

/** An expression, or `undefined` where a bundler has shut its gate. */
export function unlessShut(gate: string, expression: Code): Code {
  const constant = name(gateConstant(gate));
  // Inline, so that a bundler that knows the constant never sees the rest.
  return code`typeof ${constant} === "undefined" || ${constant} ? ${expression} : undefined`;
}
