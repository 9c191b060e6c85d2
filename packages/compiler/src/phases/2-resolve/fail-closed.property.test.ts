import { FAIL_CLOSED_DEFAULTS, FIELD_ENTRIES, type Field, type FieldPath } from "@hasp/runtime/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { load } from "../1-load/index.js";
import { testContext } from "../../../../../test/compiler/context.testing.js";
import { resolve } from "./index.js";

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });

function valuesOf(field: Field): fc.Arbitrary<unknown> {
  if ("values" in field) return fc.constantFrom(...field.values);
  const numbers = fc.integer({ min: 1, max: Math.min(field.number.maximum ?? 1_000_000, 1_000_000) });
  return field.unlimited ? fc.oneof(numbers, fc.constant("unlimited")) : numbers;
}

/** The part of a spec that says how a tool behaves, with anything left out. */
const claims = fc.record(
  Object.fromEntries(
    [...new Set(FIELD_ENTRIES.map(({ group }) => group))].map((group) => {
      const entries = FIELD_ENTRIES.filter((entry) => entry.group === group);
      return [
        group,
        fc.record(Object.fromEntries(entries.map(({ name, field }) => [name, optional(valuesOf(field))]))),
      ];
    }),
  ),
);

/** The claims that need an approval according to the design, by hand: the table of fields is compared with them. */
const milder: { readonly [path in FieldPath]: (value: unknown) => boolean } = {
  "concurrency.class": (value) => value !== "UNSAFE",
  "behavior.isReadOnly": (value) => value === true,
  "behavior.isDestructive": (value) => value === false,
  "behavior.isIdempotent": (value) => value !== false,
  "behavior.isOpenWorld": (value) => value === false,
  "behavior.returnsUntrusted": (value) => value === false,
  "behavior.returnsPrivate": (value) => value === false,
  "behavior.requiresPermission": (value) => value === false,
  "behavior.requiresUserInteraction": () => false,
  "behavior.interruptBehavior": () => false,
  "behavior.abortsSiblingsOnError": () => false,
  "visibility.load": () => false,
  "limits.maxResultSizeChars": (value) => value === "unlimited" || Number(value) > 100_000,
  "limits.timeoutSeconds": (value) => value === "unlimited" || Number(value) > 60,
  "limits.maxRetries": (value) => Number(value) > 0,
};

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (current, key) => (typeof current === "object" && current !== null ? Reflect.get(current, key) : undefined),
      value,
    );
}

function resolveClaims(stated: object) {
  const spec = { hasp: 1, name: "a", description: "A.", input: { type: "object", properties: {} }, ...stated };
  const sources = [{ uri: "a.tool.json", text: JSON.stringify(spec), role: "spec" }] as const;
  const documents = load(sources).value;
  return resolve(documents, testContext({ documents, sources }));
}

test("omitted settings are strict, stated ones hold, and milder ones are claims", () => {
  fc.assert(
    fc.property(claims, (stated) => {
      const { value, diagnostics } = resolveClaims(stated);
      const [tool] = value.tools;
      if (tool === undefined) {
        const codes = diagnostics.map(({ code }) => code);
        expect(codes.some((code) => code === "resolve/contradiction")).toBe(true);
        return;
      }
      const claimed = new Set(tool.relaxations.map(({ claim }) => claim.slice(0, claim.indexOf(":"))));
      const isEntailed = (path: string): boolean =>
        at(stated, "concurrency.class") === "READ_ONLY" && /\.(?:isReadOnly|isDestructive|isIdempotent)$/u.test(path);
      for (const { path } of FIELD_ENTRIES) {
        const value = at(tool.metadata, path);
        const written = at(stated, path);
        if (written !== undefined) expect(value, path).toBe(written);
        else if (!isEntailed(path)) expect(value, path).toBe(at(FAIL_CLOSED_DEFAULTS, path));
        expect(claimed.has(path), path).toBe(milder[path](value) && !isEntailed(path));
        expect(tool.stated.has(path), path).toBe(written !== undefined || isEntailed(path));
      }
    }),
  );
});
