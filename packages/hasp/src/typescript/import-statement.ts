/**
 * One import. A name may begin with `type `; where all do, the statement itself is a type import.
 */
export function importStatement(names: readonly string[], from: string): string {
  const isTypeOnly = names.every((name) => name.startsWith("type "));
  const sorted = names
    .map((name) => (isTypeOnly ? name.slice("type ".length) : name))
    .toSorted((left, right) => compare(left.replace(/^type /u, ""), right.replace(/^type /u, "")));
  const word = isTypeOnly ? "import type" : "import";
  const flat = `${word} { ${sorted.join(", ")} } from "${from}";`;
  if (flat.length <= 80 || sorted.length === 1) return flat;
  return `${word} {\n${sorted.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}

function compare(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : left < right ? -1 : left > right ? 1 : 0;
}
