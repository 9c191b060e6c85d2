import { groupBy } from "@hasp/base/json";
import { keywordRow } from "../vocabulary/keywords.js";
import type { NameTests } from "../patterns/linear-pattern.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { createLookup, type FindDefinition, speaksOfKeys, findInPlace, listInnerSchemas } from "./same-location.js";
import { areDisjoint } from "../vocabulary/disjoint.js";

/** The branch of a union (or of `if`) that a schema is in. */
interface Choice {
  readonly union: unknown;
  readonly branch: JsonSchema;
  /** True if at most one branch applies. */
  readonly exclusive: boolean;
}

interface LocationMember {
  readonly node: SchemaObject;
  readonly choices: readonly Choice[];
}

interface LocationClaim {
  readonly member: LocationMember;
  readonly keyword: string;
  readonly step: string;
  readonly schema: JsonSchema;
}

interface Contest {
  /** `undefined` if there are too many names and patterns to find out. */
  readonly step: string | undefined;
  /** A warning if the two are branches of one `anyOf`: then only values that mix the keys of both are refused. */
  readonly severity: "error" | "warning";
}

/** Finds a location that two schemas validate at once: closing either would refuse the other's keys. */
export function findContestedLocation(
  schema: JsonSchema,
  definitions: FindDefinition,
  changesAt: (schema: JsonSchema) => boolean,
  tests: NameTests,
): Contest | undefined {
  const claims = membersOf(schema, definitions).flatMap(claimsOf);
  // The usual case: one schema, whose properties cannot meet.
  const [first] = claims;
  if (first?.member.node.patternProperties === undefined && claims.every(({ member }) => member === first?.member)) {
    return undefined;
  }
  // Most claims are about scalars, which closing does not change: they meet nobody.
  const changing = claims.filter((claim) => changesAt(claim.schema));
  if (changing.length === 0) return undefined;
  const speaking = claims.filter((claim) => speaksBelow(claim.schema, definitions));
  const texts = new Map([...changing, ...speaking].map(({ schema: each }) => [each, JSON.stringify(each)]));
  // Two properties meet by name only.
  const stepOf = (claim: LocationClaim): string | undefined =>
    claim.keyword === "properties" ? claim.step : undefined;
  const rivals = groupBy(speaking, stepOf);
  const listRivals = (step: string | undefined): readonly LocationClaim[] =>
    step === undefined ? speaking : [...(rivals.get(step) ?? []), ...(rivals.get(undefined) ?? [])];
  let mixed: Contest | undefined;
  for (const claim of changing) {
    for (const rival of listRivals(stepOf(claim))) {
      if (rival === claim || texts.get(rival.schema) === texts.get(claim.schema)) continue;
      const meets = overlap(claim, rival, tests);
      if (tests.isSpent) return { step: undefined, severity: "error" };
      if (!meets || exclude(claim.member, rival.member, definitions)) continue;
      if (!areBranches(claim.member, rival.member)) return { step: claim.step, severity: "error" };
      mixed ??= { step: claim.step, severity: "warning" };
    }
  }
  return mixed;
}

function areBranches(left: LocationMember, right: LocationMember): boolean {
  return left.choices.some(({ union, branch }) =>
    right.choices.some((other) => other.union === union && other.branch !== branch),
  );
}

/** Lists the schemas that validate one location, each with the branches that must be taken for it to apply. */
function membersOf(start: JsonSchema, definitions: FindDefinition): LocationMember[] {
  const found: LocationMember[] = [];
  const seen = new Set<SchemaObject>();
  const visit = (schema: JsonSchema | undefined, choices: readonly Choice[]): void => {
    if (typeof schema !== "object" || seen.has(schema)) return;
    seen.add(schema);
    found.push({ node: schema, choices });
    if (schema.$ref !== undefined) visit(definitions(schema.$ref)?.schema, choices);
    for (const branch of schema.allOf ?? []) visit(branch, choices);
    for (const branch of schema.anyOf ?? []) {
      visit(branch, [...choices, { union: schema.anyOf, branch, exclusive: false }]);
    }
    for (const branch of schema.oneOf ?? []) {
      visit(branch, [...choices, { union: schema.oneOf, branch, exclusive: true }]);
    }
    for (const branch of [schema.then, schema.else]) {
      if (branch !== undefined) visit(branch, [...choices, { union: schema.if, branch, exclusive: true }]);
    }
    for (const branch of Object.values(schema.dependentSchemas ?? {})) visit(branch, choices);
  };
  visit(start, []);
  return found;
}

function claimsOf(member: LocationMember): LocationClaim[] {
  return listInnerSchemas(member.node, "child").map(({ keyword, step = "", schema }) => ({
    member,
    keyword,
    step,
    schema,
  }));
}

function isOfArrays(keyword: string): boolean {
  return keywordRow(keyword)?.types?.includes("array") === true;
}

/** True if two claims may concern one location; true in doubt. */
function overlap(left: LocationClaim, right: LocationClaim, tests: NameTests): boolean {
  if (isOfArrays(left.keyword) !== isOfArrays(right.keyword)) return false;
  const sameNode = left.member.node === right.member.node;
  const [first, second] =
    left.keyword === "properties" || left.keyword === "prefixItems" ? [left, right] : [right, left];
  if (first.keyword === second.keyword && (first.keyword === "properties" || first.keyword === "prefixItems")) {
    return !sameNode && first.step === second.step;
  }
  if (first.keyword === "properties" && second.keyword === "patternProperties") {
    return tests.matches(second.step, first.step) !== false;
  }
  // Inside one schema, additionalProperties, items and their kin begin where the named ones end.
  if (sameNode) return first.keyword === "patternProperties" && second.keyword === "patternProperties";
  if (first.keyword === "properties" && second.keyword === "additionalProperties") {
    return !Object.hasOwn(second.member.node.properties ?? {}, first.step);
  }
  return true;
}

function exclude(left: LocationMember, right: LocationMember, definitions: FindDefinition): boolean {
  return left.choices.some(({ union, branch, exclusive }) => {
    const other = right.choices.find((choice) => choice.union === union);
    return (
      other !== undefined &&
      other.branch !== branch &&
      (exclusive || areDisjoint(branch, other.branch, createLookup(definitions)))
    );
  });
}

/** True if a schema says anything about keys, at its own location or further in. */
function speaksBelow(schema: JsonSchema, definitions: FindDefinition): boolean {
  const seen = new Set<SchemaObject>();
  const add = (inner: JsonSchema | undefined): void => {
    if (typeof inner === "object") seen.add(inner);
  };
  add(schema);
  for (const node of seen) {
    if (speaksOfKeys(node)) return true;
    if (node.$ref !== undefined) add(definitions(node.$ref)?.schema);
    for (const { schema: inner } of [...listInnerSchemas(node, "child"), ...listInnerSchemas(node, "branch")]) {
      add(inner);
    }
  }
  return false;
}

/** A key under which closing would change something; `undefined` for items and the values of maps. */
interface ClosingChange {
  readonly key: string | undefined;
  readonly schema: JsonSchema;
}

/**
 * True if closing below the branches of a `oneOf` might widen it: a value that two branches accept is refused, and
 * would be accepted if closing took away just one of the two. It cannot be where
 * - the branches exclude each other, or
 * - what changes under a key is in the other branch in the same words, so that both are removed, or
 * - the location is closed around the union and only one branch declares the key, so that the other never sees it.
 */
export function mayWiden(
  branches: readonly JsonSchema[],
  changesAt: (schema: JsonSchema) => boolean,
  definitions: FindDefinition,
  closedPlace: SchemaObject | undefined,
): boolean {
  return branches.some((branch) => {
    const changes = changesOf(branch, changesAt, definitions);
    if (changes.length === 0) return false;
    return branches.some((other) => {
      if (other === branch || areDisjoint(branch, other, createLookup(definitions))) return false;
      const certain = alwaysApplied(other, definitions);
      return changes.some(
        (change) => !saysTheSame(certain, change) && !isOnlyDeclaration(change, closedPlace, definitions),
      );
    });
  });
}

function changesOf(
  branch: JsonSchema,
  changesAt: (schema: JsonSchema) => boolean,
  definitions: FindDefinition,
): ClosingChange[] {
  const found: ClosingChange[] = [];
  for (const node of findInPlace(branch, definitions)) {
    const { properties = {} } = node;
    for (const [key, schema] of Object.entries(properties)) {
      if (changesAt(schema)) found.push({ key, schema });
    }
    for (const { keyword, schema } of listInnerSchemas(node, "child")) {
      if (keyword !== "properties" && changesAt(schema)) found.push({ key: undefined, schema });
    }
  }
  return found;
}

function alwaysApplied(schema: JsonSchema, definitions: FindDefinition): SchemaObject[] {
  return findInPlace(schema, definitions, ({ allOf = [] }) => allOf);
}

function saysTheSame(nodes: readonly SchemaObject[], { key, schema }: ClosingChange): boolean {
  if (key === undefined) return false;
  const text = JSON.stringify(schema);
  return nodes.some(
    ({ properties }) =>
      properties !== undefined && Object.hasOwn(properties, key) && JSON.stringify(properties[key]) === text,
  );
}

function isOnlyDeclaration(
  { key }: ClosingChange,
  location: SchemaObject | undefined,
  definitions: FindDefinition,
): boolean {
  if (key === undefined || location === undefined) return false;
  const applicable = findInPlace(location, definitions);
  const nodes = applicable.concat(
    applicable.flatMap((node) => (node.if === undefined ? [] : findInPlace(node.if, definitions))),
  );
  let declarations = 0;
  for (const { properties, patternProperties, additionalProperties, unevaluatedProperties } of nodes) {
    if (patternProperties !== undefined) return false;
    if ((additionalProperties ?? false) !== false || (unevaluatedProperties ?? false) !== false) return false;
    if (properties !== undefined && Object.hasOwn(properties, key)) declarations++;
  }
  return declarations === 1;
}
