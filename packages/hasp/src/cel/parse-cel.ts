import { Environment, type ASTNode, type ObjectSchema } from "@marcbachmann/cel-js";
import { itemType, kindsAt, memberType, declaredNames, type InputType } from "./check/input-type.js";
import type { PredicateProblem } from "./model/refusal.js";

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

/** A parsed expression that is still unchecked. */
export interface ParsedCel {
  readonly ast: ASTNode;
  /** Runs the library's type-checker and returns what it refuses, if anything. */
  check(): PredicateProblem | undefined;
}

/** The language of all predicates: the library's CEL and our one function. */
const language = new Environment({ limits: LIMITS }).registerFunction("present(dyn, string): bool", () => false);

/**
 * Returns a parser of predicates over `input`, or over the members of it that `variables` names. Declaring the fields
 * costs more than parsing, so it is shared.
 */
export function createCelParser(
  input: InputType,
  variables?: readonly string[],
): (source: string) => ParsedCel | PredicateProblem {
  const environment = environmentFor(
    variables === undefined
      ? [["input", input]]
      : variables.map((name) => [name, memberType(input, name).type] as const),
  );
  return (source) => {
    try {
      const { ast, check } = environment.parse(source);
      return {
        ast,
        check: () => {
          const { error } = check();
          return error === undefined ? undefined : problemOf(error, source);
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
  const names = declaredNames(type);
  const isRecord = type.alternatives.length === 1 && names.length > 0 && depth < DEEPEST_TYPE;
  if (typeName(type) !== "map" || !isRecord || !names.every(isDeclarable)) return typeName(type);
  const schema: ObjectSchema = {};
  for (const name of names) {
    schema[name] = typeDeclaration(memberType(type, name).type, depth + 1);
  }
  return schema;
}

/** Whether the library can declare a field of this name; a map, whose fields it does not check, can have any other. */
function isDeclarable(name: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(name) && !(name in Object.prototype);
}

/** The CEL type of a place; `dyn` where it is of several kinds. */
function typeName(type: InputType): string {
  const [kind, ...others] = kindsAt(type);
  if (kind === undefined || others.length > 0 || kind === "null") return "dyn";
  if (kind !== "list") return kind;
  const item = typeName(itemType(type));
  return ["int", "double", "string", "bool"].includes(item) ? `list<${item}>` : "list<dyn>";
}

function problemOf(error: unknown, source: string): PredicateProblem {
  const whole = { start: 0, end: source.length };
  if (!(error instanceof Error)) return { parameters: { variant: "syntax", reason: String(error) }, ...whole };
  const { summary, range } = error as Error & { readonly summary?: string; readonly range?: typeof whole };
  const { start, end } = range ?? whole;
  const reason = summary ?? error.message;
  const habit = habitIn(source);
  return {
    parameters: habit === undefined ? { variant: "syntax", reason } : { variant: "habit", reason, ...habit },
    start,
    end: Math.max(end, Math.min(start + 1, source.length)),
  };
}

/** What other languages write, and what CEL writes in its place. */
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

/** The first habit of another language in an expression, outside its string literals. */
function habitIn(source: string): { readonly written: string; readonly meant: string } | undefined {
  const code = source.replaceAll(/'[^']*'|"[^"]*"/gu, "''");
  const [, written, meant] = HABITS.find(([pattern]) => pattern.test(code)) ?? [];
  return written === undefined || meant === undefined ? undefined : { written, meant };
}
