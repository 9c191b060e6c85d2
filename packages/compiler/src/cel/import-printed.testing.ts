import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import type { ExpressionPredicate } from "../model/conditions.js";

type Printed = (input: unknown) => boolean;

/** Imports the printed JavaScript of predicates as part of a module. */
export async function importPrinted(predicates: readonly ExpressionPredicate[]): Promise<readonly Printed[]> {
  const codegen = pathToFileURL(createRequire(import.meta.url).resolve("@hasp/runtime/codegen/v1")).href;
  const helpers = [...new Set(predicates.flatMap((predicate) => predicate.helpers))].toSorted();
  const source = [
    `import { ${helpers.join(", ")} } from ${JSON.stringify(codegen)};`,
    "export const predicates = [",
    ...predicates.map(({ javascript }) => `  (input) => ${javascript},`),
    "];",
  ].join("\n");
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as {
    readonly predicates: readonly Printed[];
  };
  return module.predicates;
}

export function outcomeOf(evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch {
    return "error";
  }
}
