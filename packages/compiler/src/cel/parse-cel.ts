import { isStructured } from "@hasp/base/json";
import { Environment, type ASTNode, type ObjectSchema } from "@marcbachmann/cel-js";
import { findItemType, findKinds, findMemberType, listDeclaredNames, type InputType } from "./check/input-type.js";
import type { PredicateProblem } from "./check/messages.js";
import { TEXT_FORMS } from "../model/conditions.js";

/** Limits far above what a reviewable predicate needs, and low enough that checking one is never slow. */
const LIMITS = {
  maxAstNodes: 2000,
  maxDepth: 100,
  maxListElements: 500,
  maxMapEntries: 0,
  maxCallArguments: 8,
} as const;

/** The deepest object whose fields are declared to the library. Deeper ones are checked by our own walk alone. */
const DEEPEST_TYPE = 6;

interface ParsedCel {
  readonly ast: ASTNode;
  /** Runs the library's type-checker and returns what it refuses, if anything. */
  check(): PredicateProblem | undefined;
}

/** Declarations of functions that the library lacks. Only the types matter: it checks conditions, and our own code evaluates them. */
const DECLARED = [
  "present(dyn, string): bool",
  "string.lower(): string",
  "string.upper(): string",
  ...TEXT_FORMS.map((form) => `${form}(string): string`),
];

const language = DECLARED.reduce(
  (environment, declaration) => environment.registerFunction(declaration, () => false),
  new Environment({ limits: LIMITS }),
);

/** Creates a parser of predicates. Declaring the fields costs more than parsing, so predicates share it. */
export function createCelParser(
  input: InputType,
  variables?: readonly string[],
): (source: string) => ParsedCel | PredicateProblem {
  const environment = environmentFor(
    variables === undefined
      ? [["input", input]]
      : variables.map((name) => [name, findMemberType(input, name).type] as const),
  );
  return (source) => {
    try {
      // Each sign is a node, and the library's parser recurses for a row of them before it counts any.
      const signs = codeOf(source).match(/!(?!=)|-/gu) ?? [];
      if (signs.length > LIMITS.maxAstNodes) return tooMuch("maxAstNodes", { start: 0, end: source.length });
      const { ast, check } = environment.parse(source);
      const sign = signBeyond(ast, LIMITS.maxDepth);
      if (sign !== undefined) return tooMuch("maxDepth", sign);
      return {
        ast,
        check: () => {
          const { error } = check();
          return error && problemOf(error, source);
        },
      };
    } catch (error) {
      return problemOf(error, source);
    }
  };
}

function environmentFor(variables: readonly (readonly [name: string, type: InputType])[]): Environment {
  const environment = language.clone();
  for (const [name, of] of variables) {
    const type = typeDeclaration(of, 0);
    if (typeof type === "string") environment.registerVariable(name, type);
    else environment.registerVariable(name, { schema: type });
  }
  return environment;
}

function typeDeclaration(type: InputType, depth: number): string | ObjectSchema {
  const names = listDeclaredNames(type);
  const isRecord = type.alternatives.length === 1 && names.length > 0 && depth < DEEPEST_TYPE;
  if (typeName(type) !== "map" || !isRecord || !names.every(isDeclarable)) return typeName(type);
  const schema: ObjectSchema = {};
  for (const name of names) {
    schema[name] = typeDeclaration(findMemberType(type, name).type, depth + 1);
  }
  return schema;
}

/** True if the library can declare a field of this name; a map can have any other, unchecked. */
function isDeclarable(name: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(name) && !(name in Object.prototype);
}

/** Returns the CEL type of a place; `dyn` if it has several kinds. */
function typeName(type: InputType): string {
  const kind = onlyKind(type);
  if (kind !== "list") return kind;
  const item = onlyKind(findItemType(type));
  return ["int", "double", "string", "bool"].includes(item) ? `list<${item}>` : "list<dyn>";
}

/** Returns the kind of all values at a place; `dyn` if there are several. */
function onlyKind(type: InputType): string {
  const [kind, ...others] = findKinds(type);
  return kind === undefined || others.length > 0 || kind === "null" ? "dyn" : kind;
}

function problemOf(error: unknown, source: string): PredicateProblem {
  const whole = { start: 0, end: source.length };
  if (!(error instanceof Error)) return { parameters: { variant: "syntax", reason: String(error) }, ...whole };
  const { summary, range } = error as Error & { readonly summary?: string; readonly range?: typeof whole };
  const { start, end } = range ?? whole;
  const reason = summary ?? error.message;
  const limit = /^Exceeded (?<limit>\w+) /u.exec(reason)?.groups?.["limit"];
  if (limit !== undefined && isLimit(limit)) return tooMuch(limit, { start, end: Math.max(end, start + 1) });
  const habit = habitIn(source);
  return {
    parameters: habit === undefined ? { variant: "syntax", reason } : { variant: "habit", reason, ...habit },
    start,
    end: Math.max(end, Math.min(start + 1, source.length)),
  };
}

const COUNTED: { readonly [Limit in keyof typeof LIMITS]: string } = {
  maxAstNodes: "operators and operands",
  maxDepth: "levels of nesting",
  maxListElements: "items in a list",
  maxMapEntries: "entries in a map",
  maxCallArguments: "arguments of a function",
};

function isLimit(key: string): key is keyof typeof LIMITS {
  return Object.hasOwn(LIMITS, key);
}

function tooMuch(key: keyof typeof LIMITS, span: Pick<PredicateProblem, "start" | "end">): PredicateProblem {
  return { parameters: { variant: "limit", limit: LIMITS[key], counted: COUNTED[key] }, ...span };
}

/** Finds the first sign, `!` or `-`, that is below `limit` others: the library limits the depth of everything else. */
function signBeyond(root: ASTNode, limit: number): ASTNode | undefined {
  const open: { readonly part: unknown; readonly signs: number }[] = [{ part: root, signs: 0 }];
  for (const { part, signs } of open) {
    if (Array.isArray(part)) open.push(...part.map((each: unknown) => ({ part: each, signs })));
    if (!isNode(part)) continue;
    const isSign = part.op === "!_" || part.op === "-_";
    if (isSign && signs === limit) return part;
    open.push({ part: part.args, signs: isSign ? signs + 1 : signs });
  }
  return undefined;
}

export function isNode(part: unknown): part is ASTNode {
  return isStructured(part) && "op" in part && "args" in part;
}

/** Syntax of other languages, and its equivalent in CEL. */
const HABITS: readonly (readonly [RegExp, string, string])[] = [
  [/!==/u, "!==", "!="],
  [/===/u, "===", "=="],
  [/<>/u, "<>", "!="],
  [/(?<![=!<>])=(?!=)/u, "=", "=="],
  [/(?<![.\w])and\b/iu, "and", "&&"],
  [/(?<![.\w])or\b/iu, "or", "||"],
  [/(?<![.\w])not\b(?! in\b)/iu, "not", "!"],
  [/(?<![.\w])is\b/iu, "is", "=="],
];

/** Finds the first habit of another language in an expression, outside its string literals. */
function habitIn(source: string): { readonly written: string; readonly meant: string } | undefined {
  const code = codeOf(source);
  const [, written, meant] = HABITS.find(([pattern]) => pattern.test(code)) ?? [];
  return written === undefined || meant === undefined ? undefined : { written, meant };
}

function codeOf(source: string): string {
  return source.replaceAll(LITERAL_OR_COMMENT, "''");
}

const LITERAL_OR_COMMENT =
  /"""[^]*?"""|'''[^]*?'''|r(?:'[^']*'|"[^"]*")|'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|\/\/[^\n]*/giu;
