import { proposeValues, sampleValues } from "@hasp/schema/internal/generate";
import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { findOrAdd, isObject, isStructured, once, parsePointer, own } from "@hasp/base/json";
import { type Expression, listOperands } from "../../model/conditions.js";
import {
  isAllowed,
  findKinds,
  listValues,
  findMemberType,
  readInputType,
  type InputType,
} from "../check/input-type.js";
import { sampleType, writePlace } from "./places.js";

/** A field of the input, and the values of it on which predicates may answer differently. `undefined` is absence. */
interface TestedField {
  readonly pointer: string;
  readonly values: readonly (JsonValue | undefined)[];
}

interface TestedFields {
  readonly fields: readonly TestedField[];
  /** True if inputs that agree on these fields get the same answer, so that trying all combinations is a proof. */
  readonly isExhaustive: boolean;
}

export const MOST_COMBINATIONS = 4096;

/** The most combinations over one input at a bound: there are many such inputs. */
const MOST_COMBINATIONS_AT_BOUND = 16;

/** The most samples of the input, and of an object in it, whose fields are combined. */
const MOST_BASES = 16;

/** Finds the values of each field that tell the predicates' answers apart. */
export function findTestedFields(expressions: readonly Expression[], input: JsonSchema): TestedFields {
  const uses = new Map<string, Use>();
  for (const expression of expressions) collect(expression, uses, true);
  const root = readInputType(input);
  let isExhaustive = true;
  const fields: TestedField[] = [];
  for (const [pointer, use] of uses) {
    const at = pointer.includes("/*") ? undefined : fieldAt(root, pointer);
    if (at === undefined) {
      isExhaustive = false;
      continue;
    }
    if ([...uses.keys()].some((other) => other.startsWith(`${pointer}/`))) {
      // The fields inside give the object its values; only its own absence is another one.
      if (!at.isCertain) fields.push({ pointer, values: [undefined, KEEP] });
      continue;
    }
    const { values, isComplete } = valuesFor(at.type, use);
    if (!isComplete) isExhaustive = false;
    fields.push({ pointer, values: at.isCertain ? values : [undefined, ...values] });
  }
  const count = fields.reduce((product, field) => product * field.values.length, 1);
  return { fields, isExhaustive: isExhaustive && count <= MOST_COMBINATIONS };
}

/** Leaves an object to the fields inside it. */
const KEEP: JsonValue = {};

interface Use {
  readonly literals: JsonValue[];
  isOpen: boolean;
}

function useOf(uses: Map<string, Use>, pointer: string): Use {
  return findOrAdd(uses, pointer, () => ({ literals: [], isOpen: false }));
}

/** Notes every field that an expression reads; `isJudged` if only the expression's truth matters. */
function collect(expression: Expression, uses: Map<string, Use>, isJudged: boolean): void {
  switch (expression.kind) {
    case "member":
      useOf(uses, expression.pointer).isOpen ||= !isJudged;
      collectHolder(expression.object, uses);
      return;
    case "has":
      useOf(uses, expression.pointer);
      collectHolder(expression.object, uses);
      return;
    case "and":
    case "or":
    case "not":
      for (const part of listOperands(expression)) collect(part, uses, true);
      return;
    case "condition":
      collect(expression.test, uses, true);
      collect(expression.consequent, uses, isJudged);
      collect(expression.alternative, uses, isJudged);
      return;
    case "equals":
    case "order": {
      const { left, right } = expression;
      if (expression.kind === "order" && expression.of !== "number") break;
      if (compareWithLiterals(left, [right], uses) || compareWithLiterals(right, [left], uses)) return;
      break;
    }
    case "in-list":
      if (expression.list.kind === "list" && compareWithLiterals(expression.item, expression.list.items, uses)) return;
      break;
    case "string-test": {
      const { target, part } = expression;
      if (target.kind !== "member" || part.kind !== "literal") break;
      // No list of values is complete, but the text itself and a longer one are worth trying.
      const text = String(part.value);
      const use = useOf(uses, target.pointer);
      use.isOpen = true;
      use.literals.push(text, `${text}x`, `x${text}`);
      collectHolder(target.object, uses);
      return;
    }
    default:
      break;
  }
  for (const part of listOperands(expression)) collect(part, uses, false);
}

function collectHolder(expression: Expression, uses: Map<string, Use>): void {
  if (expression.kind === "member") {
    useOf(uses, expression.pointer);
    collectHolder(expression.object, uses);
  }
}

function compareWithLiterals(field: Expression, others: readonly Expression[], uses: Map<string, Use>): boolean {
  if (field.kind !== "member") return false;
  const literals = others.flatMap((other) => (other.kind === "literal" ? [other.value] : []));
  if (literals.length !== others.length) return false;
  useOf(uses, field.pointer).literals.push(...literals);
  collectHolder(field.object, uses);
  return true;
}

function fieldAt(
  root: InputType,
  pointer: string,
): { readonly type: InputType; readonly isCertain: boolean } | undefined {
  let type: InputType | undefined = root;
  let isCertain = true;
  for (const token of parsePointer(pointer)) {
    const member: ReturnType<typeof findMemberType> = findMemberType(type, token);
    if (!member.isDeclared) return undefined;
    type = member.type;
    isCertain &&= member.isCertain;
  }
  return { type, isCertain };
}

function valuesFor(
  type: InputType,
  { literals, isOpen }: Use,
): { readonly values: readonly JsonValue[]; readonly isComplete: boolean } {
  const listed = type.alternatives.map(listValues);
  if (listed.every((values) => values !== undefined)) return { values: unique(listed.flat()), isComplete: true };
  const values: JsonValue[] = [];
  let isComplete = !isOpen;
  for (const kind of findKinds(type)) {
    if (kind === "null") values.push(null);
    else if (kind === "bool") values.push(true, false);
    else if (kind === "int" || kind === "double") values.push(...numbersAround(literals, kind, type));
    else if (kind === "string") values.push(...textsBeside(literals, type));
    // Only the presence of an object or list matters here; its fields and items are uses of their own.
    else values.push(kind === "list" ? [] : {});
  }
  return { values: unique(values), isComplete };
}

/** Lists each literal, values between and beside literals, and the bounds of the range. */
function numbersAround(literals: readonly JsonValue[], kind: "int" | "double", type: InputType): readonly number[] {
  const step = kind === "int" ? 1 : 0.5;
  const marks = literals.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  const between = marks.slice(1).map((mark, index) => (mark + (marks[index] ?? mark)) / 2);
  const around = marks.flatMap((mark) => [mark - step, mark, mark + step]);
  const bounds = type.alternatives.flatMap((alternative) =>
    alternative.flatMap(({ schema }) => [schema.minimum, schema.maximum].filter((bound) => bound !== undefined)),
  );
  const candidates = [...around, ...(kind === "double" ? between : []), ...bounds, 1, 0];
  return candidates.filter((value) => type.alternatives.some((alternative) => isAllowed(alternative, value)));
}

function textsBeside(literals: readonly JsonValue[], type: InputType): readonly string[] {
  const texts = literals.filter((value) => typeof value === "string");
  const samples = sampleType(type).filter((value) => typeof value === "string");
  const other = [...samples, "x", "xx", "other"].find((text) => !texts.includes(text));
  return [...texts, ...(other === undefined ? [] : [other])];
}

function unique<Value extends JsonValue>(values: readonly Value[]): readonly Value[] {
  const structured = new Map<string, Value>();
  const only = (value: Value): Value => findOrAdd(structured, JSON.stringify(value), () => value);
  return [...new Set(values.map((value) => (isStructured(value) ? only(value) : value)))];
}

export function* combineValues(
  base: JsonValue,
  fields: readonly TestedField[],
  most: number = MOST_COMBINATIONS,
): Generator<JsonValue> {
  // Set inner fields first: that creates the objects around them, whose own absence then decides.
  const ordered = fields
    .map(({ pointer, values }) => ({ path: parsePointer(pointer), values }))
    .toSorted((a, b) => b.path.length - a.path.length);
  let left = most;
  yield* lay(base, 0);

  function* lay(value: JsonValue, index: number): Generator<JsonValue> {
    const field = ordered[index];
    if (left <= 0) return;
    if (field === undefined) {
      left -= 1;
      yield value;
      return;
    }
    for (const each of field.values) {
      const laid = each === KEEP ? value : writePlace(value, field.path, each);
      yield* lay(laid ?? {}, index + 1);
    }
  }
}

/**
 * Creates the function that yields valid inputs on which predicates may differ: examples first, then combinations over
 * samples of the schema, and over those at the bounds of another version. All predicates share the samples.
 */
export function createInputSampler(
  input: JsonSchema,
  examples: readonly JsonValue[],
  beside?: JsonSchema,
): (expressions: readonly Expression[]) => Generator<JsonValue> {
  const validator = once(() => createValidator(input, { defaults: true }));
  const samples = once(() => [...examples, ...sampleValues(input, { most: MOST_BASES })]);
  const samplesByName = new Map<string, readonly JsonValue[]>();
  return function* (expressions) {
    const validate = validator();
    const { fields } = findTestedFields(expressions, input);
    const seen = new Set<string>();
    for (const base of samples().flatMap((sample) => furnish(sample, fields))) yield* combine(base, MOST_COMBINATIONS);
    if (beside === undefined) return;
    for (const base of sampleValues(input, { beside })) yield* combine(base, MOST_COMBINATIONS_AT_BOUND);

    function* combine(base: JsonValue, most: number): Generator<JsonValue> {
      for (const candidate of [base, ...combineValues(base, fields, most)]) {
        const { valid, value } = validate(candidate);
        if (!valid || seen.size === seen.add(JSON.stringify(value)).size) continue;
        yield value as JsonValue;
      }
    }
  };

  /** Returns the base and its variants with samples of the optional objects that predicates look into. */
  function furnish(base: JsonValue, fields: readonly TestedField[]): readonly JsonValue[] {
    if (!isObject(base)) return [base];
    const names = new Set(
      fields
        .map(({ pointer }) => parsePointer(pointer))
        .filter((tokens) => tokens.length > 1)
        .map(([name = ""]) => name),
    );
    const variants = [...names].flatMap((name) =>
      sampleProperty(name).flatMap((sample) => writePlace(base, [name], sample) ?? []),
    );
    return [base, ...variants];
  }

  function sampleProperty(name: string): readonly JsonValue[] {
    const property = typeof input === "boolean" ? undefined : own(input.properties, name);
    if (property === undefined) return [];
    return findOrAdd(samplesByName, name, () => [...proposeValues([property], input, { most: MOST_BASES })]);
  }
}
