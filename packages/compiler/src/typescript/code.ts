import { escapeUnits } from "@hasp/base/diagnostics";
import { isStructured, dropUndefined, isList } from "@hasp/base/json";

/** TypeScript source text, which only this file makes: user strings become literals, checked names or comments. */
export type Code = CodeText;

class CodeText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  static isCode(value: unknown): value is CodeText {
    return isStructured(value) && #text in value;
  }
}

/** Data for a literal; code in it stands for itself, and `undefined` entries are left out. */
export type Data =
  | null
  | boolean
  | number
  | string
  | Code
  | readonly Data[]
  | { readonly [key: string]: Data | undefined };

/** Builds code from fixed text and other code: code`const ${name("a")} = ${literal(value)};` */
export function code(parts: TemplateStringsArray, ...holes: readonly (Code | readonly Code[])[]): Code {
  let text = parts[0] ?? "";
  for (const [index, hole] of holes.entries()) {
    text += (CodeText.isCode(hole) ? hole.text : textOf(hole)) + (parts[index + 1] ?? "");
  }
  return new CodeText(text);
}

export function joinCode(items: readonly Code[], separator: "\n" | "\n\n" | ", " | "; " | " | " | " & "): Code {
  return new CodeText(items.map(({ text }) => text).join(separator));
}

/** Marks text as code printed by `cel/print` or written by the user. `test/boundaries.test.ts` lists the callers. */
export function markAsCode(text: string): Code {
  return new CodeText(text);
}

/** Prints an identifier. Throws for anything else, since names are checked before. */
export function name(text: string): Code {
  if (!identifier.test(text)) throw new Error(`${JSON.stringify(text)} is not an identifier.`);
  return new CodeText(text);
}

export function propertyName(text: string): Code {
  return new CodeText(propertyText(text));
}

/** Prints data on one line; the formatter breaks it. */
export function literal(value: Data): Code {
  return new CodeText(literalText(value));
}

export function printTemplateLiteral(parts: readonly (string | Code)[]): Code {
  const printed = parts.map((part) =>
    // String escapes cover those of templates, except for `${` and the backtick.
    typeof part === "string"
      ? stringText(part)
          .slice(1, -1)
          .replaceAll(/`|\$(?=\{)/gu, "\\$&")
      : `\${${part.text}}`,
  );
  return new CodeText(`\`${printed.join("")}\``);
}

export function printObjectLiteral(entries: { readonly [key: string]: Data | undefined }): Code {
  const lines = entryTexts(entries).map((entry) => `${entry},\n`);
  return new CodeText(`{\n${lines.join("")}}`);
}

/**
 * Prints a function that returns a value, with the value's type: each version and setting of the compiler widens a
 * literal whose type is inferred in its own way.
 */
export function printCreator(type: Code, value: Code, parameters: Code = code``): Code {
  return code`(${parameters}): ${type} => ${value.text.startsWith("{") ? code`(${value})` : value}`;
}

/** Prints a list with one item per line, even if it is short. */
export function printLineList(items: readonly Code[]): Code {
  if (items.length === 0) return new CodeText("[]");
  const lines = items.map(({ text }) => `${text},\n`);
  // The comment makes the formatter break the list.
  return new CodeText(`[\n// One line each, so that Git merges branches.\n${lines.join("")}]`);
}

export function printLineComment(text: string): Code {
  return new CodeText(`// ${escapeTag(commentText(text).replaceAll("\n", " "))}`);
}

/** Prints a docstring with its line break; nothing for no text. */
export function printDocComment(paragraphs: readonly string[], tags: readonly "@deprecated"[] = []): Code {
  const described = paragraphs.filter((text) => text !== "").map((text) => wrap(commentText(text)).map(escapeTag));
  const blocks = [...described, ...tags.map((tag) => [tag])];
  const lines = blocks.flatMap((block, index) => [...(index === 0 ? [] : [""]), ...block]);
  const [only] = lines;
  if (only === undefined) return new CodeText("");
  if (lines.length === 1 && only.length < COMMENT_WIDTH - 6) return new CodeText(`/** ${only} */\n`);
  return new CodeText(`/**\n${lines.map((line) => (line === "" ? " *\n" : ` * ${line}\n`)).join("")} */\n`);
}

const COMMENT_WIDTH = 76;

const asciiIdentifier = /^[$_a-zA-Z][$_a-zA-Z0-9]*$/u;
// Formatters and older engines accept no identifier characters beyond the basic plane.
const identifier = /^(?!.*[\u{10000}-\u{10ffff}])[$_\p{ID_Start}][$\p{ID_Continue}]*$/u;
const plainString = /^[ !#-&(-;=-Z^-~[\]]*$/u;
// Escape `<` only where a browser would see the end of a script or the start of a comment.
const special = /["\\]|<(?=\/script|!--)|[\u0000-\u001f\u007f-\u00a0\u00ad\u2028\u2029\ufeff]|\p{Cf}|\p{Cs}/giu;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function textOf(items: readonly Code[]): string {
  return items.map(({ text }) => text).join("");
}

function literalText(value: Data): string {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
      return value ? "true" : "false";
    default:
      if (value === null) return "null";
      if (CodeText.isCode(value)) return value.text;
      if (isList(value)) return `[${value.map(literalText).join(", ")}]`;
      return objectText(value);
  }
}

function objectText(value: { readonly [key: string]: Data | undefined }): string {
  const entries = entryTexts(value);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function entryTexts(value: { readonly [key: string]: Data | undefined }): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === undefined) return [];
    const text = literalText(inner);
    if (CodeText.isCode(inner) && text === key) return [text];
    return [`${keyText(key)}: ${text}${assertion(key, inner)}`];
  });
}

/** Prints an assertion for keys such as `constructor`, whose literals TypeScript types by the inherited member. */
function assertion(key: string, value: Data): string {
  const isComposite = isStructured(value) && !CodeText.isCode(value);
  return isComposite && key in Object.prototype ? " as const" : "";
}

/** Prints a key; a bare or quoted `__proto__` would set the prototype. */
function keyText(key: string): string {
  return key === "__proto__" ? '["__proto__"]' : propertyText(key);
}

function propertyText(key: string): string {
  return asciiIdentifier.test(key) || identifier.test(key) ? key : stringText(key);
}

/** Escapes everything that could end a script or a line, or mislead a reviewer. The formatter chooses the quotes. */
function stringText(text: string): string {
  return plainString.test(text) ? `"${text}"` : `"${text.replaceAll(special, escaped)}"`;
}

function escaped(found: string): string {
  return shortEscapes.get(found) ?? escapeUnits(found);
}

/** Escapes text that could end a comment or hide in it. */
function commentText(text: string): string {
  if (harmless.test(text)) return text;
  return text
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, " ")
    .replaceAll("*/", "*\\/")
    .replaceAll(/<(?=\/script|!--)/giu, "<\\");
}

/** Escapes the `@` that would make a line of a comment a tag or a directive such as `@ts-ignore`. */
function escapeTag(line: string): string {
  return line.replace(/^(\s*)@/u, "$1\\@");
}

/** Plain ASCII without marks that could mean something in a comment. */
const harmless = /^[\n -)+-;=?A-~]*$/u;

function wrap(paragraph: string): readonly string[] {
  return paragraph.split("\n").flatMap((text) => {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(/\s+/u).filter((each) => each !== "")) {
      if (line !== "" && line.length + word.length + 1 > COMMENT_WIDTH) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
    }
    return line === "" ? lines : [...lines, line];
  });
}

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

/** Prints imports by source; `type X` imports a type, `x as y` under another name. */
export function importStatements(names: { readonly [from: string]: readonly string[] }): readonly Code[] {
  return Object.entries(names).map(([from, imported]) =>
    importStatement(
      imported.map((each) => {
        const [first = "", as] = each.split(" as ");
        if (each.startsWith("type ")) return { name: each.slice(5), isType: true };
        return { name: first, ...dropUndefined({ as }) };
      }),
      from,
    ),
  );
}
