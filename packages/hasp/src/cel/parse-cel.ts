import { Environment, type ASTNode, type ObjectSchema } from "@marcbachmann/cel-js";
import type { JsonSchema } from "@hasp/schema";
import { itemType, kindsAt, memberType, inputTypeOf, declaredNames, type InputType } from "./check/input-type.js";
import type { PredicateProblem } from "./model/refusal.js";

/** Far more than a reviewable predicate needs, and little enough that judging one is never slow. */
const LIMITS = {
  maxAstNodes: 2000,
  maxDepth: 100,
  maxListElements: 500,
  maxMapEntries: 0,
  maxCallArguments: 8,
} as const;

/** The deepest object whose fields the library is told; below, our own walk is the only judge. */
const DEEPEST_TYPE = 6;

/** A parsed expression, still to be judged. */
export interface ParsedCel {
  readonly ast: ASTNode;
  /** What the library's own type-checker refuses, if anything. */
  check(): PredicateProblem | undefined;
}

/** What all predicates have in common: the library's CEL and our one function. */
const language = new Environment({ limits: LIMITS }).registerFunction("present(dyn, string): bool", () => false);

// Many predicates of one tool share one input schema, and registering its fields costs more than parsing.
const environments = new WeakMap<object, Environment>();

/** Parses a predicate with the kept CEL library, whose `input` is typed from the flat schema. */
export function parseCel(source: string, input: JsonSchema): ParsedCel | PredicateProblem {
  const environment = environmentFor(input);
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
}

function environmentFor(input: JsonSchema): Environment {
  const known = typeof input === "object" ? environments.get(input) : undefined;
  if (known !== undefined) return known;
  const type = typeDeclaration(inputTypeOf(input), 0);
  const environment = language.clone();
  const made =
    typeof type === "string"
      ? environment.registerVariable("input", type)
      : environment.registerVariable("input", { schema: type });
  if (typeof input === "object") environments.set(input, made);
  return made;
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
