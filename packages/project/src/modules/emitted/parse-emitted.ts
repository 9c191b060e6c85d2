import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

/** A generated module as JavaScript: a function of a loader and of `import.meta` that returns the exports. */
export interface ParsedEmitted {
  readonly script: string;
  readonly imports: readonly string[];
}

/** The first column of a formatted module holds only statements, comments and closing brackets. */
const STATEMENT = /^[^\s/})\]>]/gmu;
const TYPE =
  /^(?:export type \* from "[^"\n]*";$|export interface [^{]*\{(?:\}|[^]*?\n\})|(?:export type|declare const) [^]*?;(?=\n(?![ })|&])|$))/u;
const IMPORT = /^import (?<type>type )?(?:\* as (?<whole>[\w$]+)|\{(?<names>[^}]*)\}) from (?<from>"[^"\n]*");$/mu;
const REEXPORT = /^export (?:\*|\{(?<names>[^}]*)\}) from (?<from>"[^"\n]*");$/mu;
const CONSTANT = /^(?<exported>export )?const (?<name>[\w$]+)(?:: [^=]+)? =\s+/u;
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/gu;
const TYPE_ARGUMENTS = /^(?<called>[\w$]+)<[\w$, \n]+>(?=\()/u;
const FUNCTION = /^\(\s*(?<features>features)?(?:: Features,?\s*)?\)(?:: [^=]+)? =>/u;
/** The stated type of what a function within a value returns. No string spans lines, so no quote may precede it. */
const RETURNED = /^(?<before>[^"'`\n]*\([\w, \n]*\)): (?:unknown|HttpRequest|object|string|readonly \w+\[\]) =>/gmu;
/** A note for bundlers before a value. */
const NOTE = /^\/\* @__PURE__ \*\/\s+/u;
/** The function by which a registry finds itself. Its first answer is that of CommonJS, which nobody runs here. */
const LOCATE =
  /^const locate = \(\) =>\s+typeof __filename === "string" \? __filename : (?=import\("\.\/location\.[jt]s"\);\n)/u;
const LOCATION = "const url = import.meta.url;\n";
/** An assertion, or a string that looks like one. */
const AS_CONST = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`| as const\b/gu;

/**
 * Rewrites a generated module as a script: leaves out its types, and turns imports and exports into calls of a loader.
 * It knows hasp's own statements and refuses every other. A value that is not JavaScript fails to compile.
 */
export function parseEmitted(text: string): ParsedEmitted {
  const starts = Array.from(text.matchAll(STATEMENT), ({ index }) => index);
  rest(text.slice(0, starts[0]), "");
  const imports: string[] = [];
  const exported: string[] = [];
  const statements = starts.map((start, index) => {
    const statement = text.slice(start, starts[index + 1]);
    const type = TYPE.exec(statement);
    if (type !== null) return rest(statement, type[0]);
    const imported = IMPORT.exec(statement);
    if (imported?.index === 0) {
      const { type: isType, whole, names = "", from = "" } = imported.groups ?? {};
      const after = rest(statement, imported[0]);
      const values = isType === undefined ? valuesOf(names) : [];
      if (whole !== undefined) {
        imports.push(JSON.parse(from) as string);
        return `const ${whole} = load.whole(${from});${after}`;
      }
      if (values.length === 0) return after;
      imports.push(JSON.parse(from) as string);
      return `const { ${values.join(", ")} } = load(${from});${after}`;
    }
    const reexport = REEXPORT.exec(statement);
    if (reexport?.index === 0) {
      const { names, from = "" } = reexport.groups ?? {};
      imports.push(JSON.parse(from) as string);
      if (names === undefined) exported.push(`...load(${from})`);
      else exported.push(...valuesOf(names).map((each) => `${each}: load(${from}).${each}`));
      return rest(statement, reexport[0]);
    }
    if (LOCATE.test(statement)) return statement.replace(LOCATE, "const locate = () => ");
    const constant = CONSTANT.exec(statement);
    if (constant === null) return refuse(statement);
    const { name = "" } = constant.groups ?? {};
    if (name === "locate") return refuse(statement);
    if (constant.groups?.["exported"] !== undefined) exported.push(name);
    return `const ${name} = ${valueOf(statement.slice(constant[0].length))}`;
  });
  // Only a registry imports modules later, and it holds no foreign text.
  const code = statements.join("");
  const isRegistry = imports.includes(CODEGEN_ENTRIES.runtime) && /\bbind(?:Lazy)?Spec\b/u.test(statements[0] ?? "");
  const linked = isRegistry
    ? code.replaceAll(/\bimport\((?=")/gu, "load.moduleAt(")
    : code === LOCATION
      ? code.replace("import.meta", "meta")
      : code;
  return { script: `"use strict"; (load, meta) => {\n${linked}\nreturn { ${exported.join(", ")} };\n}`, imports };
}

function valuesOf(names: string): readonly string[] {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.replace(" as ", ": "));
}

function valueOf(text: string): string {
  const value = text
    .replace(NOTE, "")
    .replace(TYPE_ARGUMENTS, "$<called>")
    .replace(FUNCTION, (_all, features: string | undefined) => `(${features ?? ""}) =>`)
    .replaceAll(RETURNED, "$<before> =>");
  return value.includes(" as const")
    ? value.replaceAll(AS_CONST, (found) => (found === " as const" ? "" : found))
    : value;
}

function rest(statement: string, leftOut: string): string {
  const after = statement.slice(leftOut.length);
  const code = after.replaceAll(COMMENT, "").trim();
  return code === "" ? after : refuse(code);
}

function refuse(statement: string): never {
  const [line] = statement.split("\n");
  throw new SyntaxError(`it holds a statement that hasp does not write (${line})`);
}
