// Valid inputs for a tool, from its schema alone.
import { createValidator } from "@hasp/schema";
import fc from "fast-check";

const FORMATS = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "/path",
  uuid: "0b6e5fd5-2e0a-4b5c-9d0e-1a2b3c4d5e6f",
  byte: "aGFzcA==",
};

/** The least input and one with everything that fits, where they are valid. */
export function inputsFor(schema) {
  const validate = createValidator(schema, { foreignPatterns: "skip" });
  const candidates = [valueOf(schema, schema, false, 0), valueOf(schema, schema, true, 0)];
  const valid = candidates.filter((value) => value !== undefined && validate(value).valid);
  return valid.filter((value, index) => index === 0 || JSON.stringify(value) !== JSON.stringify(valid[0]));
}

/** A value of a schema; `isFull` asks for optional properties and items too. `undefined` where none is found. */
function valueOf(schema, root, isFull, depth) {
  if (schema === true || depth > 24) return schema === true ? "x" : undefined;
  if (schema === false) return undefined;
  const merged = mergeOf(schema, root);
  if (merged.const !== undefined) return merged.const;
  if (merged.enum !== undefined) return merged.enum.find((value) => value !== null) ?? null;
  const branches = merged.anyOf ?? merged.oneOf;
  if (branches !== undefined) {
    const { anyOf: _any, oneOf: _one, ...rest } = merged;
    for (const branch of branches) {
      const value = valueOf(typeof branch === "object" ? { allOf: [rest, branch] } : rest, root, isFull, depth + 1);
      if (value !== undefined && isValid(schema, root, value)) return value;
    }
    return undefined;
  }
  const types = [merged.type ?? (merged.properties === undefined ? "string" : "object")].flat();
  const type = types.find((each) => each !== "null") ?? "null";
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return numberOf(merged);
    case "string":
      return textOf(merged);
    case "array":
      return listOf(merged, root, isFull, depth);
    default:
      return objectOf(merged, root, isFull, depth);
  }
}

function isValid(schema, root, value) {
  try {
    return createValidator({ ...schema, $defs: root.$defs ?? {} }, { foreignPatterns: "skip" })(value).valid;
  } catch {
    return true;
  }
}

function mergeOf(schema, root) {
  const parts = [
    ...(schema.$ref === undefined ? [] : [mergeOf(targetOf(schema.$ref, root), root)]),
    ...(schema.allOf ?? []).map((part) => (typeof part === "object" ? mergeOf(part, root) : {})),
  ];
  const { $ref: _ref, allOf: _all, ...own } = schema;
  const all = [...parts, own];
  const properties = Object.assign({}, ...all.map((part) => part.properties));
  const required = [...new Set(all.flatMap((part) => part.required ?? []))];
  return Object.assign(
    {},
    ...all,
    Object.keys(properties).length > 0 && { properties },
    required.length > 0 && { required },
  );
}

function targetOf(reference, root) {
  return (
    reference
      .slice(1)
      .split("/")
      .slice(1)
      .reduce((value, token) => value?.[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")], root) ??
    {}
  );
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) {
  const lowest = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1);
  const highest = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1);
  const wanted = Math.min(Math.max(1, lowest), highest);
  return multipleOf === undefined ? wanted : Math.ceil(wanted / multipleOf) * multipleOf;
}

function textOf({ format, pattern, minLength = 0, maxLength = 10_000 }) {
  const fits = (text) => text.length >= minLength && text.length <= maxLength;
  const known = Object.hasOwn(FORMATS, format ?? "") ? FORMATS[format] : undefined;
  if (pattern !== undefined) {
    try {
      const expression = new RegExp(pattern, "u");
      if (known !== undefined && fits(known) && expression.test(known)) return known;
      const matching = fc.sample(fc.stringMatching(expression).filter(fits), { numRuns: 1, seed: 1 });
      return matching[0];
    } catch {
      return undefined;
    }
  }
  if (known !== undefined && fits(known)) return known;
  return "xy".repeat(minLength).slice(0, Math.max(minLength, Math.min(2, maxLength))) || "xy".slice(0, maxLength);
}

function listOf(schema, root, isFull, depth) {
  const { items = true, minItems = 0, maxItems = 2, prefixItems = [] } = schema;
  const fixed = prefixItems.map((item) => valueOf(item, root, isFull, depth + 1) ?? null);
  // A list without items cannot be written into a query or a path.
  const wanted = Math.max(minItems, isFull ? Math.min(maxItems, 2) : Math.min(maxItems, 1));
  const item = wanted > fixed.length ? valueOf(items, root, isFull && depth < 6, depth + 1) : undefined;
  if (item === undefined) return minItems > fixed.length ? undefined : fixed;
  const isUnique = schema.uniqueItems === true || items.enum !== undefined;
  const count = isUnique ? Math.max(minItems, 1) : wanted;
  return [...fixed, ...Array.from({ length: count - fixed.length }, () => item)];
}

function objectOf({ properties = {}, required = [], minProperties = 0, additionalProperties }, root, isFull, depth) {
  const entries = [];
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    if (!isRequired && !(isFull && depth < 6)) continue;
    const value = valueOf(property, root, isFull && depth < 6, depth + 1);
    if (value !== undefined) entries.push([name, value]);
    else if (isRequired) return undefined;
  }
  // An empty object cannot be written into a form.
  if (depth > 0 && entries.length === 0) {
    const [first] = Object.entries(properties).flatMap(([name, property]) => {
      const value = valueOf(property, root, false, depth + 1);
      return value === undefined ? [] : [[name, value]];
    });
    if (first !== undefined) entries.push(first);
  }
  for (const name of required) if (!Object.hasOwn(properties, name)) entries.push([name, "x"]);
  if (entries.length < minProperties) {
    for (const [name, property] of Object.entries(properties)) {
      if (entries.length >= minProperties) break;
      if (entries.some(([known]) => known === name)) continue;
      const value = valueOf(property, root, false, depth + 1);
      if (value !== undefined) entries.push([name, value]);
    }
    while (entries.length < minProperties) {
      entries.push([`key${entries.length}`, valueOf(additionalProperties ?? true, root, false, depth + 1) ?? "x"]);
    }
  }
  return Object.fromEntries(entries);
}
