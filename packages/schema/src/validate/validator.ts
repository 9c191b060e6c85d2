import { linearPattern, PatternBoundExceeded } from "../patterns/linear-pattern.js";
import {
  BoundExceeded,
  createRun,
  type CheckFinding,
  descend,
  enter,
  fail,
  isDone,
  type Check,
  type Evaluated,
  type Run,
  type Site,
  type CompiledNode,
} from "./checks/check.js";
import { describe, join } from "./checks/describe.js";
import { type Coercion, createReshape } from "./reshape.js";
import {
  isRecord,
  compileOptionalNode,
  findSite,
  readText,
  refuse,
  type Compiler,
  type KeywordCompilers,
  type ValidatorParts,
} from "./checks/compiler.js";
import { anyKind, listKindPhrases, kinds, kindsOf } from "./checks/kinds.js";
import { arrayKeywords, judgeOther, objectKeywords } from "./keywords/objects-and-arrays.js";
import { allKeywords, noCombinations, referenceKeywords } from "./keywords/combinations.js";
import { numberKeywords, stringKeywords, valueKeywords } from "./keywords/scalars.js";

import { readDraft } from "../vocabulary/keywords.js";
import { decodeFragment, findValueAt, readReference } from "@hasp/base/json";

/** One reason why a value is not valid. */
export interface ValidationError {
  /** JSON Pointer to the place in the value; for a missing property, to where it should be. */
  readonly pointer: string;
  /** The keyword that refuses it; `""` for a `false` schema and for a value beyond the bounds. */
  readonly keyword: string;
  /** The accepted values, in words that follow "must be". */
  readonly expected: string;
  /** The value found, in words; long values are cut. */
  readonly received: string;
  readonly message: string;
  /** JSON Pointer to the keyword in the schema. */
  readonly schemaPointer: string;
}

/** The verdict on one value. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
  /** The value after coercion and defaults; the very value given when nothing changed. */
  readonly value: unknown;
}

export type Validator = (value: unknown) => ValidationResult;

export interface ValidatorOptions {
  /** Asserts the known formats (see `assertedFormats`); otherwise `format` only describes. Default true. */
  readonly formats?: boolean;
  /** `skip`: no `pattern` of a stranger's schema is run, and what hangs on one counts as met. Default `run`. */
  readonly foreignPatterns?: "run" | "skip";
  /** Most errors that one run reports. Default 20. */
  readonly maxErrors?: number;
  /** Repairs what the schema refuses and loses nothing by it. Default false. */
  readonly coerce?: Coercion;
  /**
   * Fills absent properties with their `default`; in a union only in the branch that a constant names. Default false.
   */
  readonly defaults?: boolean;
}

/**
 * Compiles a schema to a function that validates values by it, without `eval` or generated code. It knows draft 2020-12
 * and, where `$schema` says so, draft-07, with references inside the schema (`#`, `#/…`); recursion is welcome.
 * Whatever it cannot decide (another document, a dynamic reference, a malformed keyword, a broken regular expression)
 * makes it throw a `TypeError` that names keyword and place. Unknown keywords are annotations. The values it validates are
 * JSON: own properties only, and a member that is `undefined` is absent. It changes neither schema nor value.
 */
export function createValidator(schema: unknown, options: ValidatorOptions = {}): Validator {
  return createValidatorWith(allParts, schema, options);
}

/** The parts by which every schema is validated. */
export const allParts: ValidatorParts = { patterns: linearPattern, keywords: allKeywords };

/** Compiles like {@link createValidator}; it throws for a schema that needs other parts. */
export function createValidatorWith(parts: ValidatorParts, schema: unknown, options: ValidatorOptions): Validator {
  const { formats = true, foreignPatterns = "run", coerce = false, defaults = false } = options;
  const maxErrors = Math.max(1, options.maxErrors ?? 20);
  const reshape = coerce || defaults ? createReshape(coerce, defaults) : undefined;
  const node = compile(schema, formats, foreignPatterns === "skip", parts).nodeOf(schema, "");

  return (given) => {
    try {
      const value = reshape === undefined ? given : reshape(node, given, createRun(maxErrors));
      if (node.check(value, createRun(maxErrors))) return { valid: true, errors: [], value };
      const findings: CheckFinding[] = [];
      node.check(value, createRun(maxErrors, findings));
      return { valid: false, errors: findings.map(toError), value };
    } catch (error) {
      // The stack may run out before our own bound is reached, if little of it was left.
      if (!isBoundExceeded(error)) throw error;
      const received = error instanceof RangeError ? "nested too deeply" : error.message;
      const predicate = `is ${received}; send a smaller one`;
      const finding = {
        pointer: "",
        keyword: "",
        schemaPointer: "",
        expected: "smaller",
        value: given,
        received,
        predicate,
      };
      return { valid: false, errors: [toError(finding)], value: given };
    }
  };
}

/** Compiles a schema to its verdict alone, which costs less than {@link createValidator}. Throws the same. */
export function createMatcher(schema: unknown): (value: unknown) => boolean {
  const node = compile(schema, true, false, allParts).nodeOf(schema, "");
  return (value) => {
    try {
      return node.check(value, createRun(1));
    } catch (error) {
      if (!isBoundExceeded(error)) throw error;
      return false;
    }
  };
}

export function isBoundExceeded(error: unknown): error is Error {
  return error instanceof BoundExceeded || error instanceof PatternBoundExceeded || error instanceof RangeError;
}

const LONGEST_PLACE = 200;

export function toError(finding: CheckFinding): ValidationError {
  const { pointer, keyword, expected, schemaPointer, received = describe(finding.value) } = finding;
  const { predicate = `must be ${expected}; you sent ${received}` } = finding;
  const shown = pointer.length > LONGEST_PLACE ? `${pointer.slice(0, LONGEST_PLACE)}…` : pointer;
  const subject = pointer === "" ? "The value" : `\`${shown}\``;
  const end = predicate.endsWith("?") ? "" : ".";
  return { pointer, keyword, expected, received, message: `${subject} ${predicate}${end}`, schemaPointer };
}

const MAX_SCHEMA_DEPTH = 500;

/** Creates the compiler of one schema, which makes a node of any part of it. */
export function compile(
  root: unknown,
  assertsFormats: boolean,
  skipsPatterns: boolean,
  parts: ValidatorParts,
): Compiler {
  const nodes = new Map<unknown, CompiledNode>();
  let depth = 0;
  const compiler: Compiler = {
    isDraft07: isDraft07(newNode(root, "")) ?? false,
    assertsFormats,
    skipsPatterns,
    ...parts,
    isUndecided: false,
    isChecked: (keyword) => CHECKED.has(keyword),
    targetOf(site) {
      const { schema, pointer } = resolveReference(root, site);
      return compiler.nodeOf(schema, pointer);
    },
    nodeOf(schema, pointer) {
      const known = nodes.get(schema);
      if (known !== undefined && schema !== false) return known;
      const node = newNode(schema, pointer);
      nodes.set(schema, node);
      depth += 1;
      if (depth > MAX_SCHEMA_DEPTH) {
        throw refuse(findSite(node, ""), `is nested more than ${MAX_SCHEMA_DEPTH} schemas deep`);
      }
      if (typeof schema !== "boolean") node.check = checkOf(node, schema, compiler);
      depth -= 1;
      return node;
    },
  };
  return compiler;
}

function newNode(schema: unknown, pointer: string): CompiledNode {
  const node: CompiledNode = {
    schema: isRecord(schema) ? schema : {},
    pointer,
    check: (value, run) =>
      schema === true || fail(run, findSite(node, ""), value, "absent", { predicate: "is not allowed" }),
    types: schema === false ? 0 : anyKind,
    properties: new Map(),
    required: [],
    fills: [],
    patterns: [],
    prefix: [],
    all: [],
    unions: [],
    others: [],
  };
  return node;
}

function checkOf(node: CompiledNode, schema: unknown, compiler: Compiler): Check {
  if (!isRecord(schema)) throw refuse({ node, keyword: "", argument: schema }, "must be a schema");
  // In draft-07 nothing beside a `$ref` counts.
  const isReference = compiler.isDraft07 && findSite(node, "$ref").argument !== undefined;
  if (!isReference) refuseOtherScopes(node, compiler);
  const keywords = isReference ? ["$ref"] : Object.keys(schema).filter((keyword) => CHECKED.has(keyword));
  const checksIn = <Value>(table: KeywordCompilers<Value>): readonly Check<Value>[] =>
    keywords
      .map((keyword) => table[keyword]?.(findSite(node, keyword), compiler))
      .filter((check) => check !== undefined);

  const typeSite = findSite(node, "type");
  if (!isReference && typeSite.argument !== undefined) node.types = typesOf(typeSite);
  const fallback = findSite(node, "default");
  if (fallback.argument !== undefined) {
    if (kindsOf(fallback.argument) === 0) throw refuse(fallback, "must be JSON");
    node.fill = () => JSON.parse(JSON.stringify(fallback.argument)) as unknown;
  }
  const { combinations = noCombinations } = compiler.keywords ?? {};
  const forAll = [...checksIn(valueKeywords), ...checksIn(referenceKeywords), ...checksIn(combinations)];
  const strings = [...checksIn(stringKeywords), ...forAll];
  const numbers = [...checksIn(numberKeywords), ...forAll];
  const arrays = [...checksIn(arrayKeywords), ...forAll];
  const objects = [...checksIn(objectKeywords), ...forAll];
  const { types } = node;

  const check: Check = (value, run, evaluated) => {
    if ((types & kindsOf(value)) === 0) {
      const expected = run.findings && (types === anyKind ? "JSON" : join(listKindPhrases(types)));
      return expected !== undefined && fail(run, typeSite, value, expected);
    }
    if (typeof value === "string") return every(strings, value, run, evaluated);
    if (typeof value === "number") return every(numbers, value, run, evaluated);
    if (Array.isArray(value)) return every(arrays, value, run, evaluated);
    return isRecord(value) ? every(objects, value, run, evaluated) : every(forAll, value, run, evaluated);
  };
  const complete = isReference ? check : withUnevaluated(check, node, compiler);
  return (value, run, evaluated) => {
    enter(run);
    const valid = complete(value, run, evaluated);
    run.depth -= 1;
    return valid;
  };
}

const CHECKED = new Set(
  [
    valueKeywords,
    referenceKeywords,
    noCombinations,
    stringKeywords,
    numberKeywords,
    arrayKeywords,
    objectKeywords,
  ].flatMap(Object.keys),
);

function every<Value>(checks: readonly Check<Value>[], value: Value, run: Run, evaluated?: Evaluated): boolean {
  let valid = true;
  for (const check of checks) {
    valid = check(value, run, evaluated) && valid;
    if (!valid && isDone(run)) return false;
  }
  return valid;
}

function typesOf(site: Site): number {
  let types = 0;
  for (const name of Array.isArray(site.argument) ? (site.argument as readonly unknown[]) : [site.argument]) {
    if (typeof name !== "string" || !Object.hasOwn(kinds, name)) {
      throw refuse(site, "must name types of JSON Schema");
    }
    types |= kinds[name as keyof typeof kinds];
  }
  if (types === 0) throw refuse(site, "must name a type");
  return types;
}

/** Applies `unevaluated*` to what is left when everything else at its location has passed. */
function withUnevaluated(check: Check, node: CompiledNode, compiler: Compiler): Check {
  const ofItems = compileOptionalNode(node, "unevaluatedItems", compiler);
  const ofMembers = compileOptionalNode(node, "unevaluatedProperties", compiler);
  if ((ofItems ?? ofMembers) === undefined || compiler.isDraft07) return check;
  const site = findSite(node, "unevaluatedProperties");
  return (value, run, outer) => {
    const evaluated: Evaluated = new Set();
    let valid = check(value, run, evaluated);
    if (!valid || compiler.isUndecided) return valid;
    if (ofItems !== undefined && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        valid = (evaluated.has(index) || descend(ofItems, item, index, run)) && valid;
        if (!valid && isDone(run)) return false;
        evaluated.add(index);
      }
    } else if (ofMembers !== undefined && isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        valid = (evaluated.has(name) || member === undefined || judgeOther(ofMembers, site, value, name, run)) && valid;
        if (!valid && isDone(run)) return false;
        evaluated.add(name);
      }
    }
    if (outer !== undefined) for (const part of evaluated) outer.add(part);
    return valid;
  };
}

/** Refuses keywords that change the meaning of others in ways that only `flatten` follows. */
function refuseOtherScopes(node: CompiledNode, { isDraft07: draft07 }: Compiler): void {
  const recursive = findSite(node, "$recursiveRef");
  if (recursive.argument !== undefined) {
    throw refuse(recursive, "needs a dynamic scope: flatten the schema first");
  }
  if (node.pointer === "") return;
  if (isResource(node.schema)) {
    throw refuse(findSite(node, "$id"), "begins another resource: flatten the schema first");
  }
  if ((isDraft07(node) ?? draft07) !== draft07) {
    throw refuse(findSite(node, "$schema"), "names another draft than the root: flatten the schema first");
  }
}

/** True if `$schema` names draft-07, false if 2020-12; `undefined` if it is absent. */
function isDraft07(node: CompiledNode): boolean | undefined {
  const site = findSite(node, "$schema");
  if (site.argument === undefined) return undefined;
  const draft = readDraft(readText(site));
  if (draft === undefined) throw refuse(site, "must name draft 2020-12 or draft-07");
  return draft === "draft-07";
}

/** Finds the part of a schema document that a `$ref` of the form `#` or `#/…` names. Throws on any other. */
function resolveReference(root: unknown, site: Site): { readonly schema: unknown; readonly pointer: string } {
  const reference = readText(site);
  if (decodeFragment(reference) === undefined) throw refuse(site, "must be percent-encoded like a URI");
  const pointer = readReference(reference);
  if (pointer === undefined) throw refuse(site, "points outside the schema: flatten it first");
  const schema = findValueAt(root, pointer);
  if (schema === undefined) throw refuse(site, "names a place that does not exist");
  const way = pointer.split("/");
  if (way.some((_, index) => index > 0 && isResource(findValueAt(root, way.slice(0, index + 1).join("/"))))) {
    throw refuse(site, "leads through a schema with its own $id: flatten it first");
  }
  return { schema, pointer };
}

/** True if a subschema is a schema resource of its own, in which `#` means itself. */
function isResource(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$id" in value && typeof value.$id === "string";
}
