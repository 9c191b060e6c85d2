import { dataLiteral, dataProperty } from "./data-literal.js";
import type { LiteralValue } from "./notation.js";
import { literalKey } from "./string-literal.js";
import { textWidth } from "./text-width.js";

/** An entry of an object literal that is printed with one entry a line. */
export type Entry =
  | { readonly kind: "data"; readonly key: string; readonly value: LiteralValue | undefined }
  /** Lines of code behind the key; the first stands beside it, the others are already indented. */
  | { readonly kind: "code"; readonly key: string; readonly code: string }
  /** A variable of the same name. */
  | { readonly kind: "variable"; readonly key: string }
  /** A line that prettier would break within an expression that is not ours to lay out. */
  | { readonly kind: "long-code"; readonly key: string; readonly code: string };

/** An object literal with one entry a line, indented by `indent`. Entries whose data is `undefined` are left out. */
export function objectText(entries: readonly Entry[], indent: number): string {
  const margin = " ".repeat(indent + 2);
  const lines = entries.flatMap((entry) => {
    switch (entry.kind) {
      case "data":
        return entry.value === undefined ? [] : [`${margin}${dataProperty(entry.key, entry.value, indent + 2)},`];
      case "code":
        return [`${margin}${literalKey(entry.key)}: ${entry.code},`];
      case "variable":
        return [`${margin}${entry.key},`];
      case "long-code":
        return [`${margin}// prettier-ignore`, `${margin}${literalKey(entry.key)}: ${entry.code},`];
    }
  });
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

/** A list literal with one item a line. */
export function listText(items: readonly string[], indent: number): string {
  const margin = " ".repeat(indent + 2);
  return `[\n${items.map((item) => `${margin}${item},\n`).join("")}${" ".repeat(indent)}]`;
}

/** A constant that holds a function which makes an object. */
export function makerConstant(name: string, type: string, value: LiteralValue): string {
  const declaration = `export const ${name} = (): ${type} => (`;
  return `${declaration}${dataLiteral(value, { column: declaration.length, tail: 2 })});\n`;
}

/** A constant that holds data; below its name where there is no room beside it. */
export function dataConstant(declaration: string, value: LiteralValue): string {
  const column = declaration.length + 3;
  const text = dataLiteral(value, { column });
  const firstLine = text.split("\n", 1)[0] ?? "";
  if (column + textWidth(firstLine) + (firstLine === text ? 1 : 0) <= 80) return `${declaration} = ${text};\n`;
  return `${declaration} =\n  ${dataLiteral(value, { column: 2, indent: 2 })};\n`;
}
