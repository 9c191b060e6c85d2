import { descend, fail, findingsOf, holds, isDone, type Check, type Members, type Run, type Site } from "../check.js";
import {
  argument,
  beside,
  countArgument,
  entriesArgument,
  namesArgument,
  patternOf,
  schemaArgument,
  type Compiler,
  type Keyword,
  type KeywordTable,
} from "../compiler.js";
import { listed } from "../describe.js";
import { nearestName } from "../nearest-name.js";

// A member whose value is `undefined` is absent, as it is for JSON.stringify.
const isPresent = (value: Members, name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined;

const presentNames = (value: Members): readonly string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined);

const properties = (count: number): string => (count === 1 ? "1 property" : `${count} properties`);

const minProperties: Keyword<Members> = (site) => {
  const limit = countArgument(site);
  return (value, run) =>
    presentNames(value).length >= limit || fail(run, site, value, `an object with at least ${properties(limit)}`);
};

const maxProperties: Keyword<Members> = (site) => {
  const limit = countArgument(site);
  return (value, run) =>
    presentNames(value).length <= limit || fail(run, site, value, `an object with at most ${properties(limit)}`);
};

const required: Keyword<Members> = (site) => {
  const names = namesArgument(site);
  return (value, run) => {
    let valid = true;
    for (const name of names) {
      if (isPresent(value, name)) continue;
      if (run.findings === undefined) return false;
      valid = missing(run, site, value, name, "is required but missing");
    }
    return valid;
  };
};

function missing(run: Run, site: Site, value: Members, name: string, predicate: string): false {
  return fail(run, site, value, "present", { key: name, received: "nothing", predicate });
}

const dependentRequired: Keyword<Members> = (site, compiler) => {
  const dependents = entriesArgument(site).map(
    ([name, names]) => [name, namesArgument(beside(site, `${site.keyword}/${name}`), names)] as const,
  );
  return compiler.draft === "draft-07" ? undefined : requireTogether(site, dependents);
};

function requireTogether(site: Site, dependents: readonly (readonly [string, readonly string[]])[]): Check<Members> {
  return (value, run) => {
    let valid = true;
    for (const [name, names] of dependents) {
      if (!isPresent(value, name)) continue;
      for (const other of names) {
        if (isPresent(value, other)) continue;
        if (run.findings === undefined) return false;
        valid = missing(run, site, value, other, `is missing, and ${JSON.stringify(name)} requires it`);
      }
    }
    return valid;
  };
}

const dependentSchemas: Keyword<Members> = (site, compiler) => {
  if (compiler.draft === "draft-07") return undefined;
  return applyTogether(schemaEntries(site, compiler));
};

function applyTogether(dependents: readonly (readonly [string, Check])[]): Check<Members> {
  return (value, run, evaluated) => {
    let valid = true;
    for (const [name, check] of dependents) {
      if (!isPresent(value, name)) continue;
      valid = check(value, run, evaluated) && valid;
      if (!valid && isDone(run)) return false;
    }
    return valid;
  };
}

function schemaEntries(site: Site, compiler: Compiler): readonly (readonly [string, Check])[] {
  return entriesArgument(site).map(
    ([name, schema]) => [name, compiler.check(schema, memberPointer(site, name))] as const,
  );
}

function memberPointer(site: Site, name: string): string {
  return `${site.pointer}/${site.keyword}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The old word for `dependentRequired` and `dependentSchemas`, which later drafts still allow. */
const dependencies: Keyword<Members> = (site, compiler) => {
  const entries = entriesArgument(site);
  const names = entries.flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, namesArgument(beside(site, `${site.keyword}/${name}`), value)] as const] : [],
  );
  const schemas = entries.flatMap(([name, value]) =>
    Array.isArray(value) ? [] : [[name, compiler.check(value, memberPointer(site, name))] as const],
  );
  const requires = requireTogether(site, names);
  const applies = applyTogether(schemas);
  return (value, run, evaluated) => {
    const valid = requires(value, run, evaluated);
    return !valid && isDone(run) ? false : applies(value, run, evaluated) && valid;
  };
};

const propertyNames: Keyword<Members> = (site, compiler) => {
  const check = schemaArgument(site, compiler);
  return (value, run) => {
    let valid = true;
    for (const name of presentNames(value)) {
      if (holds(check, name, run)) continue;
      if (run.findings === undefined) return false;
      const expected = findingsOf(check, name, run)[0]?.expected ?? "another name";
      valid = fail(run, site, value, `named otherwise: the name must be ${expected}`, {
        key: name,
        received: JSON.stringify(name),
        predicate: `has a name that is not allowed: it must be ${expected}`,
      });
      if (isDone(run)) return false;
    }
    return valid;
  };
};

const memberWords = ["properties", "patternProperties", "additionalProperties"];

/** `properties`, `patternProperties` and `additionalProperties` in one loop over the members. */
const memberChecks: Keyword<Members> = (site, compiler) => {
  const [propertySite, patternSite, additionalSite] = [
    beside(site, "properties"),
    beside(site, "patternProperties"),
    beside(site, "additionalProperties"),
  ];
  const declared = argument(propertySite) === undefined ? [] : schemaEntries(propertySite, compiler);
  const checks = new Map(declared);
  const patternEntries = argument(patternSite) === undefined ? [] : schemaEntries(patternSite, compiler);
  const patterns = compiler.skipsPatterns
    ? []
    : patternEntries.map(([text, check]) => [patternOf(text, beside(patternSite, `patternProperties/${text}`)), check] as const);
  const additional = argument(additionalSite) === undefined ? undefined : schemaArgument(additionalSite, compiler);
  // Which members are additional cannot be said where patterns are not run.
  const others = compiler.skipsPatterns && patternEntries.length > 0 ? undefined : additional;
  const closed = argument(additionalSite) === false;

  return (value, run, evaluated) => {
    let valid = true;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      const check = checks.get(name);
      let known = check !== undefined;
      if (check !== undefined) valid = descend(check, member, name, run) && valid;
      for (const [pattern, patternCheck] of patterns) {
        if (!pattern.test(name)) continue;
        known = true;
        valid = descend(patternCheck, member, name, run) && valid;
      }
      if (!known && others !== undefined) {
        known = true;
        valid =
          (closed ? unknownName(run, additionalSite, value, name, checks.keys()) : descend(others, member, name, run)) &&
          valid;
      }
      if (!valid && isDone(run)) return false;
      if (known) evaluated?.add(name);
    }
    return valid;
  };
};

function unknownName(run: Run, site: Site, value: Members, name: string, known: Iterable<string>): false {
  if (run.findings === undefined) return false;
  const names = [...known];
  const nearest = nearestName(
    name,
    names.filter((candidate) => !isPresent(value, candidate)),
  );
  const remedy =
    nearest === undefined
      ? names.length === 0
        ? "none is allowed here"
        : `allowed are ${listed(names, "and")}`
      : `did you mean ${JSON.stringify(nearest)}?`;
  return fail(run, site, value, names.length === 0 ? "absent" : `one of ${listed(names, "or")}`, {
    key: name,
    received: JSON.stringify(name),
    predicate: `is not an allowed property; ${remedy}`,
  });
}

/** The check of `unevaluatedProperties`, run after all that may evaluate a property. */
export const unevaluatedProperties: Keyword<Members> = (site, compiler) => {
  const check = schemaArgument(site, compiler);
  const closed = argument(site) === false;
  return (value, run, evaluated) => {
    let valid = true;
    for (const name of presentNames(value)) {
      if (evaluated?.has(name)) continue;
      valid =
        (closed
          ? run.findings !== undefined && unknownName(run, site, value, name, declaredNames(site.schema, site, compiler))
          : descend(check, value[name], name, run)) && valid;
      if (!valid && isDone(run)) return false;
      evaluated?.add(name);
    }
    return valid;
  };
};

/** The property names that a schema declares for its own place in the instance. Only messages use it. */
function declaredNames(
  schema: unknown,
  site: Site,
  compiler: Compiler,
  visited: Set<unknown> = new Set(),
  names: Set<string> = new Set(),
): Set<string> {
  if (typeof schema !== "object" || schema === null || visited.has(schema)) return names;
  visited.add(schema);
  const inner: Site = { ...site, schema: { ...schema } };
  if (argument(inner, "properties") !== undefined) {
    for (const [name] of entriesArgument(beside(inner, "properties"))) names.add(name);
  }
  const parts: unknown[] = ["allOf", "anyOf", "oneOf"].flatMap((word) => argument(inner, word) ?? []);
  for (const word of ["if", "then", "else"]) parts.push(argument(inner, word));
  const dependents = argument(inner, "dependentSchemas");
  if (typeof dependents === "object" && dependents !== null) parts.push(...Object.values(dependents));
  const reference = argument(inner, "$ref");
  if (reference !== undefined) parts.push(compiler.target(reference, inner).schema);
  for (const part of parts) declaredNames(part, site, compiler, visited, names);
  return names;
}

const members: Keyword<Members> = (site, compiler) => {
  if (memberWords.find((word) => argument(site, word) !== undefined) !== site.keyword) return undefined;
  return memberChecks(site, compiler);
};

/** Keywords that judge objects, without `unevaluatedProperties`. */
export const objectKeywords: KeywordTable<Members> = new Map([
  ["minProperties", minProperties],
  ["maxProperties", maxProperties],
  ["required", required],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["dependencies", dependencies],
  ["propertyNames", propertyNames],
  ...memberWords.map((word) => [word, members] as const),
]);

