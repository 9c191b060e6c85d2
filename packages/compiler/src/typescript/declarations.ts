import { code, type Code, joinCode, literal, name } from "./code.js";

interface ImportedName {
  readonly name: string;
  readonly as?: string;
  readonly isType?: boolean;
}

/** Prints a sorted import; a type import if all names are types. */
export function importStatement(names: readonly ImportedName[], from: string): Code {
  const isTypeOnly = names.every(({ isType }) => isType === true);
  const sorted = names
    .toSorted((left, right) => compare(left.name, right.name))
    .map(({ name: imported, as, isType }) => {
      const specifier = as === undefined ? name(imported) : code`${name(imported)} as ${name(as)}`;
      return isType === true && !isTypeOnly ? code`type ${specifier}` : specifier;
    });
  const keyword = isTypeOnly ? code`import type` : code`import`;
  return code`${keyword} { ${joinCode(sorted, ", ")} } from ${literal(from)};`;
}

export function typeNames(names: Iterable<string>): readonly ImportedName[] {
  return Array.from(names, (each) => ({ name: each, isType: true }));
}

function compare(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : left < right ? -1 : left > right ? 1 : 0;
}

/** Prints imports by source; `type X` imports a type. */
export function importStatements(names: { readonly [from: string]: readonly string[] }): readonly Code[] {
  return Object.entries(names).map(([from, imported]) =>
    importStatement(
      imported.map((each) => (each.startsWith("type ") ? { name: each.slice(5), isType: true } : { name: each })),
      from,
    ),
  );
}
