import fc from "fast-check";
import { expect, test } from "vitest";
import { instances, schemas } from "../flatten/arbitrary.testing.js";
import { flatten } from "../flatten/flatten.js";
import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { createValidator } from "../validate/index.js";
import { closeSchema } from "./close-schema.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 50) * 5;

/** Collects the keys of a value, at every depth, that some schema there mentions; the definition of "declared". */
function declaredKeys(root: JsonSchema): (value: JsonValue) => ReadonlySet<string> {
  const definitions = typeof root === "object" ? (root.$defs ?? {}) : {};
  const validators = new Map<JsonSchema, (value: JsonValue) => { readonly valid: boolean }>();
  const holds = (schema: JsonSchema, value: JsonValue): boolean => {
    if (typeof schema === "boolean") return schema;
    let validator = validators.get(schema);
    if (validator === undefined) {
      validator = createValidator({ ...schema, $defs: definitions });
      validators.set(schema, validator);
    }
    return validator(value).valid;
  };
  const collect = (schema: JsonSchema, value: JsonValue, path: string, keys: Set<string>): void => {
    if (typeof schema === "boolean" || typeof value !== "object" || value === null || !holds(schema, value)) return;
    const { $ref } = schema;
    if ($ref !== undefined) collect(definitions[$ref.slice("#/$defs/".length)] ?? true, value, path, keys);
    for (const branch of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
      collect(branch, value, path, keys);
    }
    if (schema.if !== undefined) {
      const tested = new Set<string>();
      collect(schema.if, value, path, tested);
      // What stands deeper inside a condition is not a declaration.
      for (const key of tested) if (!key.slice(path.length + 1).includes("/")) keys.add(key);
      collect((holds(schema.if, value) ? schema.then : schema.else) ?? true, value, path, keys);
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const prefix = schema.prefixItems ?? [];
        const inner = prefix[index] ?? schema.items ?? schema.unevaluatedItems;
        if (inner !== undefined) collect(inner as JsonSchema, item as JsonValue, `${path}/${index}`, keys);
      }
      return;
    }
    const object = value as JsonObject;
    for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {})) {
      if (Object.hasOwn(object, name)) collect(dependent, value, path, keys);
    }
    const here = (name: string, inner: JsonSchema): void => {
      keys.add(`${path}/${name}`);
      collect(inner, object[name] ?? null, `${path}/${name}`, keys);
    };
    for (const name of Object.keys(object)) {
      let spoken = false;
      if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) {
        spoken = true;
        here(name, schema.properties[name] ?? true);
      }
      for (const [pattern, inner] of Object.entries(schema.patternProperties ?? {})) {
        if (!new RegExp(pattern, "u").test(name)) continue;
        spoken = true;
        here(name, inner);
      }
      if (!spoken && schema.additionalProperties !== undefined) here(name, schema.additionalProperties);
      if (schema.unevaluatedProperties !== undefined && !keys.has(`${path}/${name}`)) {
        here(name, schema.unevaluatedProperties);
      }
    }
  };
  return (value) => {
    const keys = new Set<string>();
    collect(root, value, "", keys);
    return keys;
  };
}

function allKeys(value: JsonValue, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => allKeys(item as JsonValue, `${path}/${index}`));
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...allKeys(inner, `${path}/${key}`),
  ]);
}

test("closing never widens, and narrows undeclared keys only", () => {
  const counts = { schemas: 0, refused: 0, same: 0, narrowed: 0, declared: 0 };
  fc.assert(
    fc.property(schemas, fc.array(instances, { minLength: 12, maxLength: 12 }), (source, values) => {
      const { schema: flat, diagnostics } = flatten(source);
      if (diagnostics.some(({ code }) => /loop|large|deep$/.test(code))) return;
      const before = JSON.stringify(flat);
      const closing = closeSchema(flat);
      expect(JSON.stringify(flat)).toBe(before);
      counts.schemas++;
      const closed = createValidator(closing.schema);
      const open = createValidator(flat);
      const refused = closing.diagnostics.some(({ code }) => code !== "schema/bare-object");
      if (refused) counts.refused++;
      const declared = declaredKeys(flat);
      for (const value of values as JsonValue[]) {
        const was = open(value).valid;
        const is = closed(value).valid;
        const story = (): string =>
          `${JSON.stringify(source)}\n${JSON.stringify(flat)}\n${JSON.stringify(closing.schema)}\non ${JSON.stringify(value)}`;
        if (is && !was) expect.fail(`widened: ${story()}`);
        if (!was) continue;
        if (is) counts.same++;
        else counts.narrowed++;
        if (refused) continue;
        const keys = declared(value);
        if (!allKeys(value).every((key) => keys.has(key))) continue;
        counts.declared++;
        if (!is) expect.fail(`narrowed a declared key: ${story()}`);
      }
    }),
    { numRuns: RUNS },
  );
  process.stdout.write(`closing: ${JSON.stringify(counts)}\n`);
  expect(counts.narrowed).toBeGreaterThan(RUNS / 10);
}, 600_000);

test("closing a closed schema changes nothing", () => {
  fc.assert(
    fc.property(schemas, (source) => {
      const { schema: flat, diagnostics } = flatten(source);
      if (diagnostics.some(({ code }) => /loop|large|deep$/.test(code))) return;
      const once = closeSchema(flat);
      if (once.diagnostics.length > 0) return;
      expect(closeSchema(once.schema as SchemaObject).schema).toEqual(once.schema);
    }),
    { numRuns: RUNS },
  );
}, 600_000);
