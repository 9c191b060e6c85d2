import { enter, fail, isDone, type Check, type Evaluated, type Run, type Site } from "./check.js";
import {
  argument,
  beside,
  isRecord,
  mayHoldPattern,
  textArgument,
  unusable,
  type Compiler,
  type KeywordTable,
} from "./compiler.js";
import { describe, joined } from "./describe.js";
import { anyKind, kindPhrases, kinds, kindsOf } from "./kinds.js";
import { arrayKeywords, unevaluatedItems } from "./keywords/arrays.js";
import { combinationKeywords } from "./keywords/combinations.js";
import { numberKeywords } from "./keywords/numbers.js";
import { objectKeywords, unevaluatedProperties } from "./keywords/objects.js";
import { stringKeywords } from "./keywords/strings.js";
import { valueKeywords } from "./keywords/values.js";
import { resolvePointer } from "./reference.js";

/** What the author of a schema, and not the schema, decides about its checks. */
export interface CompileOptions {
  readonly formats: boolean;
  readonly skipsPatterns: boolean;
}

/** A compiler for the subschemas of one root. */
export function createCompiler(root: unknown, options: CompileOptions): Compiler {
  const compiled = new Map<object, { check: Check | undefined }>();
  const draft = draftOf(root, "2020-12", "");
  let depth = 0;

  const compiler: Compiler = {
    ...options,
    draft,
    target: (reference, site) => resolvePointer(root, reference, site),
    check(schema, pointer) {
      if (schema === true) return accept;
      const site: Site = { schema: isRecord(schema) ? schema : {}, pointer, keyword: "" };
      if (schema === false) {
        return (value, run) => fail(run, site, value, "absent", { predicate: "must not be there: no value is allowed" });
      }
      if (!isRecord(schema)) throw unusable(site, "must be a schema: an object, true or false");
      const known = compiled.get(schema);
      // A schema that is being compiled further up calls itself by way of its entry.
      if (known !== undefined) return known.check ?? ((value, run, seen) => known.check?.(value, run, seen) ?? false);

      const entry: { check: Check | undefined } = { check: undefined };
      compiled.set(schema, entry);
      depth += 1;
      if (depth > MAX_SCHEMA_DEPTH) throw unusable(site, `is nested more than ${MAX_SCHEMA_DEPTH} schemas deep`);
      entry.check = checkOf(site, compiler);
      depth -= 1;
      return entry.check;
    },
  };
  return compiler;
}

const MAX_SCHEMA_DEPTH = 500;

const accept: Check = () => true;

function checkOf(site: Site, compiler: Compiler): Check {
  const { schema } = site;
  refuseUnknownScope(site, compiler);
  // In draft-07 nothing beside a `$ref` counts.
  const referenceOnly = compiler.draft === "draft-07" && argument(site, "$ref") !== undefined;
  const names = referenceOnly ? ["$ref"] : Object.keys(schema);

  const forAll = [...checksOf(valueKeywords, names, site, compiler), ...checksOf(combinationKeywords, names, site, compiler)];
  const strings = joinChecks(checksOf(stringKeywords, names, site, compiler), forAll);
  const numbers = joinChecks(checksOf(numberKeywords, names, site, compiler), forAll);
  const arrays = joinChecks(checksOf(arrayKeywords, names, site, compiler), forAll);
  const objects = joinChecks(checksOf(objectKeywords, names, site, compiler), forAll);
  const types = typesOf(site);
  const typeSite = beside(site, "type");

  const judge: Check = (value, run, evaluated) => {
    if ((types & kindsOf(value)) === 0) return wrongType(run, typeSite, value, types);
    if (typeof value === "string") return every(strings, value, run, evaluated);
    if (typeof value === "number") return every(numbers, value, run, evaluated);
    if (Array.isArray(value)) return every(arrays, value, run, evaluated);
    return isRecord(value) ? every(objects, value, run, evaluated) : every(forAll, value, run, evaluated);
  };
  const complete = withUnevaluated(judge, site, compiler);
  return (value, run, evaluated) => {
    enter(run);
    const valid = complete(value, run, evaluated);
    run.depth -= 1;
    return valid;
  };
}

function checksOf<Value>(
  table: KeywordTable<Value>,
  names: readonly string[],
  site: Site,
  compiler: Compiler,
): readonly Check<Value>[] {
  return names.flatMap((name) => table.get(name)?.(beside(site, name), compiler) ?? []);
}

function joinChecks<Value>(own: readonly Check<Value>[], forAll: readonly Check[]): readonly Check<Value>[] {
  if (own.length === 0) return forAll;
  return forAll.length === 0 ? own : [...own, ...forAll];
}

function every<Value>(
  checks: readonly Check<Value>[],
  value: Value,
  run: Run,
  evaluated: Evaluated | undefined,
): boolean {
  let valid = true;
  for (const check of checks) {
    if (check(value, run, evaluated)) continue;
    if (isDone(run)) return false;
    valid = false;
  }
  return valid;
}

function wrongType(run: Run, site: Site, value: unknown, types: number): false {
  if (run.findings === undefined) return false;
  return fail(run, site, value, types === anyKind ? "a JSON value" : joined(kindPhrases(types), "or"));
}

function typesOf(site: Site): number {
  const type = argument(site, "type");
  if (type === undefined) return anyKind;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  let types = 0;
  for (const name of names) {
    if (typeof name !== "string" || !isKind(name)) {
      throw unusable(beside(site, "type"), `names ${describe(name)}, which is no type of JSON Schema`);
    }
    types |= kinds[name];
  }
  if (types === 0) throw unusable(beside(site, "type"), "must name at least one type");
  return types;
}

function isKind(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name);
}

/** `unevaluated*` judges what is left when everything else at its place has passed. */
function withUnevaluated(judge: Check, site: Site, compiler: Compiler): Check {
  if (compiler.draft === "draft-07") return judge;
  const [itemSite, propertySite] = [beside(site, "unevaluatedItems"), beside(site, "unevaluatedProperties")];
  const ofItems = argument(itemSite) === undefined ? undefined : unevaluatedItems(itemSite, compiler);
  const ofProperties = argument(propertySite) === undefined ? undefined : unevaluatedProperties(propertySite, compiler);
  if (ofItems === undefined && ofProperties === undefined) return judge;
  if (mayHoldPattern(site.schema, compiler)) return judge;
  return (value, run, outer) => {
    const evaluated: Evaluated = new Set();
    let valid = judge(value, run, evaluated);
    if (valid && ofItems !== undefined && Array.isArray(value)) valid = ofItems(value, run, evaluated);
    if (valid && ofProperties !== undefined && isRecord(value)) valid = ofProperties(value, run, evaluated);
    if (valid && outer !== undefined) for (const part of evaluated) outer.add(part);
    return valid;
  };
}

/** Words that change what other words mean, in ways that only `flatten` follows. */
function refuseUnknownScope(site: Site, compiler: Compiler): void {
  for (const name of ["$dynamicRef", "$recursiveRef"]) {
    if (argument(site, name) !== undefined) throw unusable(beside(site, name), "needs a dynamic scope; flatten the schema first");
  }
  const root = site.pointer === "";
  if (!root && typeof argument(site, "$id") === "string" && argument(site, "$ref") === undefined) {
    throw unusable(beside(site, "$id"), "begins another schema resource; flatten the schema first");
  }
  if (!root && draftOf(site.schema, compiler.draft, site.pointer) !== compiler.draft) {
    throw unusable(beside(site, "$schema"), "names another draft than the root does; flatten the schema first");
  }
}

function draftOf(schema: unknown, otherwise: Compiler["draft"], pointer: string): Compiler["draft"] {
  const site: Site = { schema: isRecord(schema) ? schema : {}, pointer, keyword: "$schema" };
  if (argument(site) === undefined) return otherwise;
  const uri = textArgument(site);
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(uri)) return "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(uri)) return "draft-07";
  throw unusable(site, `is ${describe(uri)}, but only draft 2020-12 and draft-07 are known`);
}
